<?php
// The steps that every client of PHP takes. A client has:
//
//   get($url, $key), postJson($url, $key, $value), postForm($url, $key, $fields, $file)
//
// Each returns [status, content type, body]. A key may be null, and so may a file, which is a path.

const WRONG_KEY = 'Bearer 0123456789abcdef';

function api(): string
{
    return getenv('BASE') . '/api/integrations';
}

function folio(string $fileType = 'file', string $texts = 'FOLIO'): array
{
    return [
        'signers' => getenv('SIGNERS'),
        'folioName' => getenv($texts . '_NAME'),
        'folioMessage' => getenv($texts . '_MESSAGE'),
        'signatureType' => '1',
        'urlReturn' => getenv('RETURN_URL'),
        'fileType' => $fileType,
        'sendEmail' => 'true',
    ];
}

function report(string $step, array $response): ?array
{
    [$status, $type, $body] = $response;
    file_put_contents(getenv('OUT') . '/' . $step, $body);
    echo json_encode(['step' => $step, 'status' => $status]), "\n";
    return str_starts_with($type, 'application/json') ? json_decode($body, true, flags: JSON_THROW_ON_ERROR) : null;
}

function run(object $client): void
{
    $key = getenv('KEY');
    $pdf = getenv('PDF');
    $get = fn (string $step, string $path, ?string $shown) => report($step, $client->get(api() . "/$path", $shown));
    $post = fn (string $step, string $path, array $fields, ?string $file = null) =>
        report($step, $client->postForm(api() . "/$path", $key, $fields, $file));

    $first = $post('create_file', 'sign', folio(), $pdf)['data']['folioId'];
    $document = ['name' => basename($pdf), 'content' => base64_encode(file_get_contents($pdf))];
    $base64 = folio('base64') + ['documentsBase64' => json_encode([$document])];
    $second = $post('create_base64', 'sign', $base64)['data']['folioId'];
    $both = json_encode([$first, $second]);
    $document = $get('read_one', "consult?folioId=$first", $key)['data']['documents'][0]['documentId'];
    report('read_several_json', $client->postJson(api() . '/consult', $key, ['folioId' => [$first, $second]]));
    $post('read_several_form', 'consult', ['folios' => $both]);
    $resend = ['folioId' => $first, 'signers' => getenv('CORRECTIONS'), 'urlReturn' => getenv('RETURN_URL')];
    $post('resend', 'forward_emails', $resend);
    $get('download_get', "download?documentId=$document", $key);
    $post('download_post', 'download/', ['documentId' => $document]);
    $bulk = ['foliosIds' => $both, 'signer' => getenv('BULK_SIGNER'), 'urlReturn' => getenv('RETURN_URL')];
    $massive = $post('bulk_start', 'massive_sign', $bulk)['data']['massiveId'];
    $get('bulk_read', "consult_massive_sign?massiveId=$massive", $key);
    $post('cancel', 'cancel', ['folios' => json_encode([$second]), 'observation' => getenv('OBSERVATION')]);
    $sign = ['folioId' => $first, 'documentNumber' => getenv('NUMBER'), 'action' => 'sign'];
    report('sign', $client->postJson(getenv('BASE') . '/sandbox/signers', $key, $sign));
    $get('download_signed', "download?documentId=$document", $key);
    $get('evidence', "evidence?folioId=$first", $key);
    $get('evidence_pdf', "evidence?folioId=$first&format=pdf", $key);
    $get('no_key', "consult?folioId=$first", null);
    $get('wrong_key', "consult?folioId=$first", WRONG_KEY);
    $post('create_large', 'sign', folio(), getenv('LARGE_PDF'));
    $direct = getenv('DIRECT_BASE') . '/api/integrations/sign';
    report('refused_large', $client->postForm($direct, WRONG_KEY, folio(), getenv('LARGE_PDF')));
}
