#!/bin/sh
# curl, as people use it on a command line.
set -eu
api=$BASE/api/integrations
key="x-api-key: $KEY"
wrong_key="x-api-key: Bearer 0123456789abcdef"

# step NAME OPTION…: one request.
step() {
    name=$1
    shift
    status=$(curl --silent --show-error --output "$OUT/$name" --write-out '%{http_code}' "$@")
    printf '{"step":"%s","status":%s}\n' "$name" "$status"
}

# id NAME MEMBER: an identifier in the response of a step.
id() {
    sed -n "s/.*\"$2\":\"\([0-9a-f]*\)\".*/\1/p" "$OUT/$1"
}

# create NAME URL KEY FILE OPTION…: a folio with a file. --form-string takes a value as it is: without it, a leading @ or
# < would name a file, and a semicolon would begin the part's type.
create() {
    name=$1 url=$2 shown=$3 file=$4
    shift 4
    step "$name" "$url/sign" --header "$shown" \
        --form-string "signers=$SIGNERS" --form-string "folioName=$FOLIO_NAME" \
        --form-string "folioMessage=$FOLIO_MESSAGE" --form-string signatureType=1 \
        --form-string "urlReturn=$RETURN_URL" --form-string fileType=file --form-string sendEmail=true \
        --form "documents[]=$file" "$@"
}

create create_file "$api" "$key" "@$PDF;type=application/pdf"
first=$(id create_file folioId)
printf '[{"name":"%s","content":"%s"}]' "$(basename "$PDF")" "$(base64 --wrap=0 "$PDF")" > base64.json
step create_base64 "$api/sign" --header "$key" \
    --form-string "signers=$SIGNERS" --form-string "folioName=$FOLIO_NAME" \
    --form-string "folioMessage=$FOLIO_MESSAGE" --form-string signatureType=1 \
    --form-string "urlReturn=$RETURN_URL" --form-string fileType=base64 --form-string sendEmail=true \
    --form "documentsBase64=<base64.json"
second=$(id create_base64 folioId)
both="[\"$first\",\"$second\"]"
step read_one "$api/consult?folioId=$first" --header "$key"
document=$(id read_one documentId)
step read_several_json "$api/consult" --header "$key" --json "{\"folioId\":$both}"
step read_several_form "$api/consult" --header "$key" --form-string "folios=$both"
step resend "$api/forward_emails" --header "$key" --form-string "folioId=$first" \
    --form-string "signers=$CORRECTIONS" --form-string "urlReturn=$RETURN_URL"
step download_get --get --data-urlencode "documentId=$document" "$api/download" --header "$key"
step download_post "$api/download/" --header "$key" --form "documentId=$document"
step bulk_start "$api/massive_sign" --header "$key" --form-string "foliosIds=$both" \
    --form-string "signer=$BULK_SIGNER" --form-string "urlReturn=$RETURN_URL"
massive=$(id bulk_start massiveId)
step bulk_read "$api/consult_massive_sign?massiveId=$massive" --header "$key"
step cancel "$api/cancel" --header "$key" --form-string "folios=[\"$second\"]" --form-string "observation=$OBSERVATION"
step sign "$BASE/sandbox/signers" --header "$key" \
    --json "{\"folioId\":\"$first\",\"documentNumber\":\"$NUMBER\",\"action\":\"sign\"}"
step download_signed "$api/download?documentId=$document" --header "$key"
step evidence "$api/evidence?folioId=$first" --header "$key"
step evidence_pdf "$api/evidence?folioId=$first&format=pdf" --header "$key"
step no_key "$api/consult?folioId=$first"
step wrong_key "$api/consult?folioId=$first" --header "$wrong_key"
# From a megabyte on, curl asks before it sends a body. The refusal comes before that, and no byte of it is sent.
create create_large "$api" "$key" "@$LARGE_PDF"
create refused_large "$DIRECT_BASE/api/integrations" "$wrong_key" "@$LARGE_PDF" --header "Expect:"
create refused_expecting "$DIRECT_BASE/api/integrations" "$wrong_key" "@$LARGE_PDF"
create create_chunked "$api" "$key" "@$PDF;type=application/pdf" --header "Transfer-Encoding: chunked"
create create_without_file_name "$api" "$key" "@$PDF;filename=\"\""

# The name that a download has on disk.
saved=$(curl --silent --show-error --remote-name --remote-header-name --write-out '%{filename_effective}' \
    "$api/download?documentId=$document" --header "$key")
printf '{"step":"download_saved","fileName":"%s"}\n' "$saved"
# Several requests on one connection.
used=$(curl --silent --show-error --output /dev/null --output /dev/null --output /dev/null --write-out '%{num_connects} ' \
    --header "$key" "$api/consult?folioId=$first" "$api/download?documentId=$document" "$api/consult?folioId=$second")
printf '{"step":"one_connection","connects":"%s"}\n' "$used"
