import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.entity.mime.HttpMultipartMode;
import org.apache.hc.client5.http.entity.mime.MultipartEntityBuilder;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;

/** Apache HttpClient 5. */
final class Apache5 implements Steps.Client {
    private static final ContentType UTF8 = ContentType.create("text/plain", StandardCharsets.UTF_8);
    private static final ContentType PDF = ContentType.create("application/pdf");
    private final CloseableHttpClient client = HttpClients.createDefault();

    private Steps.Response send(HttpUriRequestBase request, String key) throws Exception {
        if (key != null) {
            request.setHeader("x-api-key", key);
        }
        return client.execute(request, response -> {
            HttpEntity entity = response.getEntity();
            return entity.getContentType().startsWith("application/json")
                ? new Steps.Response(response.getCode(), EntityUtils.toString(entity), null)
                : new Steps.Response(response.getCode(), null, EntityUtils.toByteArray(entity));
        });
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
        MultipartEntityBuilder form = form(fields, UTF8).setMode(HttpMultipartMode.EXTENDED);
        if (file != null) {
            form.addBinaryBody("documents[]", file.toFile(), PDF, file.getFileName().toString());
        }
        return post(url, key, form.build());
    }

    public static void main(String[] arguments) throws Exception {
        Apache5 client = new Apache5();
        Steps.run(client);
        String url = Steps.API + "/sign";
        byte[] document = Files.readAllBytes(Steps.PDF);

        // The default: text parts in ISO-8859-1 that say so.
        MultipartEntityBuilder form = MultipartEntityBuilder.create().setMode(HttpMultipartMode.EXTENDED);
        Steps.folio("file", "LATIN1").forEach(form::addTextBody);
        form.addBinaryBody("documents[]", document, PDF, Steps.env("LATIN1_FILE_NAME"));
        Steps.report("create_latin1", client.post(url, Steps.KEY, form.build()));

        form = form(Steps.folio(), UTF8).addBinaryBody("documents[]", document, PDF, "");
        Steps.report("create_without_file_name", client.post(url, Steps.KEY, form.build()));

        form = form(Steps.folio(), UTF8).setMode(HttpMultipartMode.EXTENDED);
        HttpEntity whole = form.addBinaryBody("documents[]", document, PDF, Steps.PDF.getFileName().toString()).build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        whole.writeTo(bytes);
        ContentType type = ContentType.parse(whole.getContentType());
        InputStreamEntity stream = new InputStreamEntity(new ByteArrayInputStream(bytes.toByteArray()), type);
        Steps.report("create_chunked", client.post(url, Steps.KEY, stream));

        RequestConfig expecting = RequestConfig.custom().setExpectContinueEnabled(true).build();
        HttpPost request = new HttpPost(url);
        request.setConfig(expecting);
        request.setEntity(new ByteArrayEntity(bytes.toByteArray(), type));
        Steps.report("create_expecting", client.send(request, Steps.KEY));

        request = new HttpPost(Steps.env("DIRECT_BASE") + "/api/integrations/sign");
        request.setConfig(expecting);
        request.setEntity(form(Steps.folio(), UTF8).addBinaryBody("documents[]", Steps.LARGE_PDF.toFile()).build());
        Steps.report("refused_expecting", client.send(request, Steps.WRONG_KEY));
    }
}
