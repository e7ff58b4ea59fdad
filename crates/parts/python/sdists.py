"""Saves the source distributions of packages into the current directory, from the index that pip uses. Unlike
`pip download` it does not build them."""

import pathlib
import sys

from pip._internal.commands.download import DownloadCommand

command = DownloadCommand("download", "")
options, names = command.parse_args(["--no-binary", ":all:", *sys.argv[1:]])
with command.main_context():
    session = command.get_default_session(options)
    finder = command._build_package_finder(options=options, session=session)
    for name in names:
        link = finder.find_best_candidate(name).best_candidate.link
        path = pathlib.Path(link.filename)
        if not path.exists():
            path.write_bytes(session.get(link.url_without_fragment).content)
        print(path)
