# Ends processes and removes a directory as soon as standard input closes, which also happens when the process that
# held its other end is killed. Each line read replaces what is to be ended: "SIGNAL PID SIGNAL PID ...",
# a negative PID meaning a process group.
trap '' HUP INT TERM
directory=$1
ends=
while read -r line; do ends=$line; done

set -- $ends
while [ $# -ge 2 ]; do
    kill -s "$1" -- "$2"
    shift 2
done

set -- $ends
patience=100
while [ $# -ge 2 ]; do
    if kill -s 0 -- "$2" && [ $patience -gt 0 ]; then
        patience=$((patience - 1))
        sleep 0.05
    else
        kill -s KILL -- "$2"
        shift 2
    fi
done

[ -z "$directory" ] || rm -rf -- "$directory"
