<?php
// Every kind of operation through the PHP client that openapi-generator generates, with Guzzle.

use OpenAPI\Client\Api\FirmaMasivaApi;
use OpenAPI\Client\Api\FoliosApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\ReadFoliosRequest;

require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix)) {
        require getcwd() . '/php/lib/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    }
});

function check(bool $holds, mixed $seen): void
{
    if (!$holds) {
        throw new RuntimeException(print_r($seen, true));
    }
}

$configuration = Configuration::getDefaultConfiguration()->setHost(getenv('BASE'))->setApiKey('x-api-key', getenv('KEY'));
$folios = new FoliosApi(new GuzzleHttp\Client(), $configuration);
$bulks = new FirmaMasivaApi(new GuzzleHttp\Client(), $configuration);
$back = 'https://cliente.example.com/gracias';
$signer = '{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1001","cellPhoneNumber":"3001234567"}';
$pdf = getenv('PDF');

$created = $folios->createFolio("[$signer]", 'Nómina ✍', 'Por favor firme.', '1', $back, 'file', 'false', null, [new SplFileObject($pdf)]);
$folio = $created->getData()->getFolioId();
$detail = $folios->readFolio($folio)->getData();
check($detail->getFolioData()->getName() === 'Nómina ✍', $detail);
$several = $folios->readFolios(new ReadFoliosRequest(['folio_id' => [$folio]]))->getData();
check($several[0]->getSuccess(), $several);
check($folios->resendEmails($folio, '[{"documentNumber":"1001"}]', $back)->getSuccess(), 'resend');
$saved = $folios->downloadDocument($detail->getDocuments()[0]->getDocumentId());
check(file_get_contents($saved->getPathname()) === file_get_contents($pdf), $saved);
$bulk = $bulks->startBulk("[\"$folio\"]", "[$signer]", $back)->getData()->getMassiveId();
check($bulks->readBulk($bulk)->getData()[0]->getFolioData()->getFolioId() === $folio, $bulk);
check($folios->cancelFolios("[\"$folio\"]", 'Se cancela por error.')->getData()->getCancelledFolios() === 1, 'cancel');
echo $folio, "\n";
