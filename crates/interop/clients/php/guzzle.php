<?php
// PHP: Guzzle.

require '/usr/share/php/GuzzleHttp/autoload.php';
require __DIR__ . '/steps.php';

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\MultipartStream;
use GuzzleHttp\Psr7\PumpStream;

final class GuzzleClient
{
    private Client $client;

    public function __construct()
    {
        $this->client = new Client(['http_errors' => false]);
    }

    public function send(string $method, string $url, ?string $key, array $options, array $headers = []): array
    {
        if ($key !== null) {
            $headers['x-api-key'] = $key;
        }
        $response = $this->client->request($method, $url, $options + ['headers' => $headers]);
        return [$response->getStatusCode(), $response->getHeaderLine('content-type'), (string) $response->getBody()];
    }

    public static function parts(array $fields, ?string $file): array
    {
        $parts = [];
        foreach ($fields as $name => $contents) {
            $parts[] = ['name' => $name, 'contents' => $contents];
        }
        if ($file !== null) {
            $parts[] = ['name' => 'documents[]', 'contents' => fopen($file, 'rb')];
        }
        return $parts;
    }

    public function get(string $url, ?string $key): array
    {
        return $this->send('GET', $url, $key, []);
    }

    public function postJson(string $url, ?string $key, mixed $value): array
    {
        return $this->send('POST', $url, $key, ['json' => $value]);
    }

    public function postForm(string $url, ?string $key, array $fields, ?string $file): array
    {
        return $this->send('POST', $url, $key, ['multipart' => self::parts($fields, $file)]);
    }
}

$client = new GuzzleClient();
run($client);

$key = getenv('KEY');
$multipart = GuzzleClient::parts(folio(), getenv('PDF'));
report('create_expecting', $client->send('POST', api() . '/sign', $key, ['multipart' => $multipart, 'expect' => true]));
// A stream of unknown length goes in chunks.
$whole = new MultipartStream(GuzzleClient::parts(folio(), getenv('PDF')));
$body = new PumpStream(fn (int $length) => $whole->eof() ? false : $whole->read($length));
$type = ['content-type' => 'multipart/form-data; boundary=' . $whole->getBoundary()];
report('create_chunked', $client->send('POST', api() . '/sign', $key, ['body' => $body], $type));
