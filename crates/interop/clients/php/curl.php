<?php
// PHP: its curl functions, one handle for all requests.

require __DIR__ . '/steps.php';

final class CurlClient
{
    private CurlHandle $curl;

    public function __construct()
    {
        $this->curl = curl_init();
    }

    public function send(string $url, ?string $key, array $options, array $headers = []): array
    {
        if ($key !== null) {
            $headers[] = "x-api-key: $key";
        }
        curl_reset($this->curl);
        curl_setopt_array($this->curl, $options + [
            CURLOPT_URL => $url,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
        ]);
        $body = curl_exec($this->curl);
        if ($body === false) {
            throw new RuntimeException(curl_error($this->curl));
        }
        return [
            curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE),
            curl_getinfo($this->curl, CURLINFO_CONTENT_TYPE),
            $body,
        ];
    }

    public function get(string $url, ?string $key): array
    {
        return $this->send($url, $key, []);
    }

    public function postJson(string $url, ?string $key, mixed $value): array
    {
        $options = [CURLOPT_POSTFIELDS => json_encode($value)];
        return $this->send($url, $key, $options, ['content-type: application/json']);
    }

    public function postForm(string $url, ?string $key, array $fields, ?string $file): array
    {
        if ($file !== null) {
            $fields['documents[]'] = new CURLFile($file, 'application/pdf', basename($file));
        }
        return $this->send($url, $key, [CURLOPT_POSTFIELDS => $fields]);
    }
}

$client = new CurlClient();
run($client);

$content = file_get_contents(getenv('PDF'));
$name = iconv('UTF-8', 'ISO-8859-1', getenv('LATIN1_FILE_NAME'));
$fields = folio(texts: 'LATIN1') + ['documents[]' => new CURLStringFile($content, $name, 'application/pdf')];
$sent = $client->send(api() . '/sign', getenv('KEY'), [CURLOPT_POSTFIELDS => $fields]);
report('create_latin1_file_name', $sent);
$fields = folio() + ['documents[]' => new CURLStringFile($content, '', 'application/pdf')];
report('create_without_file_name', $client->send(api() . '/sign', getenv('KEY'), [CURLOPT_POSTFIELDS => $fields]));
