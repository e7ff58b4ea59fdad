import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The steps that every Java client takes. */
final class Steps {
    static final String API = env("BASE") + "/api/integrations";
    static final String KEY = env("KEY");
    static final String WRONG_KEY = "Bearer 0123456789abcdef";
    static final Path PDF = Path.of(env("PDF"));
    static final Path LARGE_PDF = Path.of(env("LARGE_PDF"));

    /** An HTTP client. A key may be null, and so may a file. */
    interface Client {
        Response get(String url, String key) throws Exception;

        Response postJson(String url, String key, String json) throws Exception;

        Response postForm(String url, String key, Map<String, String> fields, Path file) throws Exception;
    }

    /** A text is as the client decoded it; it is null for a body that is not JSON. */
    record Response(int status, String text, byte[] bytes) {}

    static String env(String name) {
        return System.getenv(name);
    }

    static Map<String, String> folio(String fileType, String texts) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("signers", env("SIGNERS"));
        fields.put("folioName", env(texts + "_NAME"));
        fields.put("folioMessage", env(texts + "_MESSAGE"));
        fields.put("signatureType", "1");
        fields.put("urlReturn", env("RETURN_URL"));
        fields.put("fileType", fileType);
        fields.put("sendEmail", "true");
        return fields;
    }

    static Map<String, String> folio() {
        return folio("file", "FOLIO");
    }

    static String report(String step, Response response) throws IOException {
        byte[] body = response.text() == null ? response.bytes() : response.text().getBytes(StandardCharsets.UTF_8);
        Files.write(Path.of(env("OUT"), step), body);
        System.out.println("{\"step\":\"" + step + "\",\"status\":" + response.status() + "}");
        return response.text();
    }

    /** The identifier that is the value of a member. */
    static String id(String json, String member) {
        Matcher found = Pattern.compile("\"" + member + "\":\"([0-9a-f]{32})\"").matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("no " + member + " in " + json);
        }
        return found.group(1);
    }

    static void run(Client client) throws Exception {
        String first = id(report("create_file", client.postForm(API + "/sign", KEY, folio(), PDF)), "folioId");
        Map<String, String> base64 = folio("base64", "FOLIO");
        String content = Base64.getEncoder().encodeToString(Files.readAllBytes(PDF));
        base64.put("documentsBase64", "[{\"name\":\"" + PDF.getFileName() + "\",\"content\":\"" + content + "\"}]");
        String second = id(report("create_base64", client.postForm(API + "/sign", KEY, base64, null)), "folioId");
        String both = "[\"" + first + "\",\"" + second + "\"]";
        String read = report("read_one", client.get(API + "/consult?folioId=" + first, KEY));
        String document = id(read, "documentId");
        report("read_several_json", client.postJson(API + "/consult", KEY, "{\"folioId\":" + both + "}"));
        report("read_several_form", client.postForm(API + "/consult", KEY, Map.of("folios", both), null));
        Map<String, String> resend = Map.of(
            "folioId", first, "signers", env("CORRECTIONS"), "urlReturn", env("RETURN_URL"));
        report("resend", client.postForm(API + "/forward_emails", KEY, resend, null));
        report("download_get", client.get(API + "/download?documentId=" + document, KEY));
        report("download_post", client.postForm(API + "/download/", KEY, Map.of("documentId", document), null));
        Map<String, String> bulk = Map.of(
            "foliosIds", both, "signer", env("BULK_SIGNER"), "urlReturn", env("RETURN_URL"));
        String started = report("bulk_start", client.postForm(API + "/massive_sign", KEY, bulk, null));
        String massive = id(started, "massiveId");
        report("bulk_read", client.get(API + "/consult_massive_sign?massiveId=" + massive, KEY));
        Map<String, String> cancel = Map.of("folios", "[\"" + second + "\"]", "observation", env("OBSERVATION"));
        report("cancel", client.postForm(API + "/cancel", KEY, cancel, null));
        String sign = "{\"folioId\":\"" + first + "\",\"documentNumber\":\"" + env("NUMBER") + "\",\"action\":\"sign\"}";
        report("sign", client.postJson(env("BASE") + "/sandbox/signers", KEY, sign));
        report("download_signed", client.get(API + "/download?documentId=" + document, KEY));
        report("evidence", client.get(API + "/evidence?folioId=" + first, KEY));
        report("evidence_pdf", client.get(API + "/evidence?format=pdf&folioId=" + first, KEY));
        report("no_key", client.get(API + "/consult?folioId=" + first, null));
        report("wrong_key", client.get(API + "/consult?folioId=" + first, WRONG_KEY));
        report("create_large", client.postForm(API + "/sign", KEY, folio(), LARGE_PDF));
        String direct = env("DIRECT_BASE") + "/api/integrations/sign";
        report("refused_large", client.postForm(direct, WRONG_KEY, folio(), LARGE_PDF));
    }
}
