// Every kind of operation through the Java client (library "native") that openapi-generator generates.

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.FirmaMasivaApi;
import org.openapitools.client.api.FoliosApi;
import org.openapitools.client.model.ReadFoliosRequest;
import org.openapitools.client.model.SignatureType;

public class Generated {
    static void check(boolean holds, Object seen) {
        if (!holds) throw new AssertionError(String.valueOf(seen));
    }

    public static void main(String[] arguments) throws Exception {
        String key = System.getenv("KEY");
        Path pdf = Path.of(System.getenv("PDF"));
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("BASE"));
        client.setRequestInterceptor(request -> request.header("x-api-key", key));
        FoliosApi folios = new FoliosApi(client);
        FirmaMasivaApi bulks = new FirmaMasivaApi(client);
        URI back = URI.create("https://cliente.example.com/gracias");
        String signer = "{\"name\":\"María Pérez\",\"email\":\"maria@example.com\",\"documentType\":\"CC\","
            + "\"documentNumber\":\"1001\",\"cellPhoneNumber\":\"3001234567\"}";

        // The generated client sends texts in ISO-8859-1, and says so: other letters are lost before they leave it.
        String folio = folios.createFolio("[" + signer + "]", "Nómina", "Por favor firme.", SignatureType.CODE_BY_EMAIL, back,
            "file", "false", null, List.of(pdf.toFile()), null, null).getData().getFolioId();
        var detail = folios.readFolio(folio).getData();
        check(detail.getFolioData().getName().equals("Nómina"), detail);
        var several = folios.readFolios(new ReadFoliosRequest().addFolioIdItem(folio), null).getData();
        check(several.get(0).getData().getSigners().get(0).getName().equals("María Pérez"), several);
        check(folios.resendEmails(folio, "[{\"documentNumber\":\"1001\"}]", back, null).getSuccess(), "resend");
        String document = detail.getDocuments().get(0).getDocumentId();
        File saved = folios.downloadDocument(document, null, null, null, null, null, null);
        check(Arrays.equals(Files.readAllBytes(saved.toPath()), Files.readAllBytes(pdf)), saved);
        String bulk = bulks.startBulk("[\"" + folio + "\"]", "[" + signer + "]", back, null).getData().getMassiveId();
        check(bulks.readBulk(bulk).getData().get(0).getFolioData().getFolioId().equals(folio), bulk);
        var cancelled = folios.cancelFolios("[\"" + folio + "\"]", "Se cancela por error.", null).getData();
        check(cancelled.getCancelledFolios() == 1, cancelled);
        System.out.println(folio);
    }
}
