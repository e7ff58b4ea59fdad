import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Java's own java.net.http. It knows no forms: programs write them themselves, as here. */
final class JavaNetHttp implements Steps.Client {
    private static final String BOUNDARY = "----FormBoundary7MA4YWxkTrZu0gW";
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static HttpRequest.Builder request(String url, String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        return key == null ? request : request.header("x-api-key", key);
    }

    private Steps.Response send(HttpRequest request) throws Exception {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        String type = response.headers().firstValue("content-type").orElse("");
        // What BodyHandlers.ofString() does: the charset of the header, else UTF-8.
        Charset charset = type.contains("charset=")
            ? Charset.forName(type.substring(type.indexOf("charset=") + 8)) : StandardCharsets.UTF_8;
        String text = type.startsWith("application/json") ? new String(response.body(), charset) : null;
        return new Steps.Response(response.statusCode(), text, response.body());
    }

    static byte[] form(Map<String, String> fields, Path file, String fileName, Charset names) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + field.getKey() + "\"\r\n\r\n";
            body.write((head + field.getValue() + "\r\n").getBytes(StandardCharsets.UTF_8));
        }
        if (file != null) {
            String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"documents[]\"; filename=\""
                + fileName + "\"\r\nContent-Type: application/pdf\r\n\r\n";
            body.write(head.getBytes(names));
            body.write(Files.readAllBytes(file));
            body.write("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        body.write(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    private Steps.Response post(String url, String key, BodyPublisher body, boolean expectContinue) throws Exception {
        return send(request(url, key)
            .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
            .expectContinue(expectContinue)
            .POST(body)
            .build());
    }

    public Steps.Response get(String url, String key) throws Exception {
        return send(request(url, key).build());
    }

    public Steps.Response postJson(String url, String key, String json) throws Exception {
        return send(request(url, key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build());
    }

    public Steps.Response postForm(String url, String key, Map<String, String> fields, Path file) throws Exception {
        String name = file == null ? null : file.getFileName().toString();
        byte[] body = form(fields, file, name, StandardCharsets.UTF_8);
        return post(url, key, BodyPublishers.ofByteArray(body), false);
    }

    public static void main(String[] arguments) throws Exception {
        JavaNetHttp client = new JavaNetHttp();
        Steps.run(client);
        String url = Steps.API + "/sign";
        byte[] whole = form(Steps.folio(), Steps.PDF, Steps.PDF.getFileName().toString(), StandardCharsets.UTF_8);
        BodyPublisher known = BodyPublishers.ofByteArray(whole);
        Steps.report("create_expecting", client.post(url, Steps.KEY, known, true));
        // A stream has no length: it goes in chunks.
        BodyPublisher stream = BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(whole));
        Steps.report("create_chunked", client.post(url, Steps.KEY, stream, false));
        byte[] latin1 = form(Steps.folio("file", "LATIN1"), Steps.PDF, Steps.env("LATIN1_FILE_NAME"),
            StandardCharsets.ISO_8859_1);
        BodyPublisher named = BodyPublishers.ofByteArray(latin1);
        Steps.report("create_latin1_file_name", client.post(url, Steps.KEY, named, false));
        byte[] unnamed = form(Steps.folio(), Steps.PDF, "", StandardCharsets.UTF_8);
        BodyPublisher empty = BodyPublishers.ofByteArray(unnamed);
        Steps.report("create_without_file_name", client.post(url, Steps.KEY, empty, false));
        // No large body with expectContinue is refused here: until Java 20 this client waits forever for any response but
        // 100 (JDK-8286171).
    }
}
