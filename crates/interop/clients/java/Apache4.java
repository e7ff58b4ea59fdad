import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.http.HttpEntity;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.InputStreamEntity;
import org.apache.http.entity.StringEntity;
import org.apache.http.entity.mime.HttpMultipartMode;
import org.apache.http.entity.mime.MultipartEntityBuilder;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Apache HttpClient 4. */
final class Apache4 implements Steps.Client {
    private static final ContentType UTF8 = ContentType.create("text/plain", StandardCharsets.UTF_8);
    private static final ContentType PDF = ContentType.create("application/pdf");
    private final CloseableHttpClient client = HttpClients.createDefault();

    private Steps.Response send(HttpUriRequest request, String key) throws Exception {
        if (key != null) {
            request.setHeader("x-api-key", key);
        }
        try (CloseableHttpResponse response = client.execute(request)) {
            int status = response.getStatusLine().getStatusCode();
            HttpEntity entity = response.getEntity();
            boolean json = entity.getContentType().getValue().startsWith("application/json");
            return json
                ? new Steps.Response(status, EntityUtils.toString(entity), null)
                : new Steps.Response(status, null, EntityUtils.toByteArray(entity));
        }
    }

    private Steps.Response post(String url, String key, HttpEntity entity) throws Exception {
        HttpPost request = new HttpPost(url);
        request.setEntity(entity);
        return send(request, key);
    }

    private static MultipartEntityBuilder form(Map<String, String> fields, ContentType type) {
        MultipartEntityBuilder form = MultipartEntityBuilder.create();
        fields.forEach((name, value) -> form.addTextBody(name, value, type));
        return form;
    }

    public Steps.Response get(String url, String key) throws Exception {
        return send(new HttpGet(url), key);
    }

    public Steps.Response postJson(String url, String key, String json) throws Exception {
        return post(url, key, new StringEntity(json, ContentType.APPLICATION_JSON));
    }

    public Steps.Response postForm(String url, String key, Map<String, String> fields, Path file) throws Exception {
        // Without this mode names of files are written in ASCII.
        MultipartEntityBuilder form = form(fields, UTF8).setMode(HttpMultipartMode.RFC6532);
        if (file != null) {
            form.addBinaryBody("documents[]", file.toFile(), PDF, file.getFileName().toString());
        }
        return post(url, key, form.build());
    }

    public static void main(String[] arguments) throws Exception {
        Apache4 client = new Apache4();
        Steps.run(client);
        String url = Steps.API + "/sign";
        byte[] document = Files.readAllBytes(Steps.PDF);
        String latin1Name = Steps.env("LATIN1_FILE_NAME");

        // The default: text parts in ISO-8859-1 that say so.
        MultipartEntityBuilder form = MultipartEntityBuilder.create().setMode(HttpMultipartMode.RFC6532);
        Steps.folio("file", "LATIN1").forEach(form::addTextBody);
        form.addBinaryBody("documents[]", document, PDF, latin1Name);
        Steps.report("create_latin1", client.post(url, Steps.KEY, form.build()));

        // As browsers once did: no types of text parts, and the form's charset for everything.
        form = form(Steps.folio("file", "LATIN1"), UTF8)
            .setMode(HttpMultipartMode.BROWSER_COMPATIBLE)
            .setCharset(StandardCharsets.ISO_8859_1);
        form.addBinaryBody("documents[]", document, PDF, latin1Name);
        Steps.report("create_latin1_file_name", client.post(url, Steps.KEY, form.build()));

        form = form(Steps.folio(), UTF8).addBinaryBody("documents[]", document, PDF, "");
        Steps.report("create_without_file_name", client.post(url, Steps.KEY, form.build()));

        form = form(Steps.folio(), UTF8).setMode(HttpMultipartMode.RFC6532);
        HttpEntity whole = form.addBinaryBody("documents[]", document, PDF, Steps.PDF.getFileName().toString()).build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        whole.writeTo(bytes);
        InputStreamEntity stream = new InputStreamEntity(new ByteArrayInputStream(bytes.toByteArray()));
        stream.setContentType(whole.getContentType());
        stream.setChunked(true);
        Steps.report("create_chunked", client.post(url, Steps.KEY, stream));

        RequestConfig expecting = RequestConfig.custom().setExpectContinueEnabled(true).build();
        HttpPost request = new HttpPost(url);
        request.setConfig(expecting);
        ByteArrayEntity again = new ByteArrayEntity(bytes.toByteArray());
        again.setContentType(whole.getContentType());
        request.setEntity(again);
        Steps.report("create_expecting", client.send(request, Steps.KEY));

        request = new HttpPost(Steps.env("DIRECT_BASE") + "/api/integrations/sign");
        request.setConfig(expecting);
        request.setEntity(form(Steps.folio(), UTF8).addBinaryBody("documents[]", Steps.LARGE_PDF.toFile()).build());
        Steps.report("refused_expecting", client.send(request, Steps.WRONG_KEY));
    }
}
