// Mono: System.Net.Http.HttpClient.

using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;

static class Client
{
    static readonly HttpClient http = new HttpClient(new HttpClientHandler { UseProxy = false });
    static readonly string Api = Env("BASE") + "/api/integrations";
    static readonly string Direct = Env("DIRECT_BASE") + "/api/integrations";
    static readonly string Key = Env("KEY");
    const string WrongKey = "Bearer 0123456789abcdef";

    static string Env(string name)
    {
        return Environment.GetEnvironmentVariable(name);
    }

    static HttpResponseMessage Send(HttpMethod method, string url, string key, HttpContent content, bool? expect = null)
    {
        var request = new HttpRequestMessage(method, url) { Content = content };
        if (key != null) request.Headers.Add("x-api-key", key);
        request.Headers.ExpectContinue = expect;
        return http.SendAsync(request).Result;
    }

    static HttpResponseMessage Get(string path, string key)
    {
        return Send(HttpMethod.Get, Api + "/" + path, key, null);
    }

    static HttpResponseMessage PostJson(string url, string json)
    {
        return Send(HttpMethod.Post, url, Key, new StringContent(json, Encoding.UTF8, "application/json"));
    }

    static MultipartFormDataContent Form(Dictionary<string, string> fields, string file = null)
    {
        var form = new MultipartFormDataContent();
        foreach (var field in fields) form.Add(new StringContent(field.Value), field.Key);
        if (file != null)
        {
            var content = new ByteArrayContent(File.ReadAllBytes(file));
            content.Headers.ContentType = new MediaTypeHeaderValue("application/pdf");
            form.Add(content, "documents[]", Path.GetFileName(file));
        }
        return form;
    }

    static HttpResponseMessage Post(string path, Dictionary<string, string> fields, string file = null)
    {
        return Send(HttpMethod.Post, Api + "/" + path, Key, Form(fields, file));
    }

    static Dictionary<string, string> Folio(string fileType = "file", string texts = "FOLIO")
    {
        return new Dictionary<string, string>
        {
            { "signers", Env("SIGNERS") },
            { "folioName", Env(texts + "_NAME") },
            { "folioMessage", Env(texts + "_MESSAGE") },
            { "signatureType", "1" },
            { "urlReturn", Env("RETURN_URL") },
            { "fileType", fileType },
            { "sendEmail", "true" },
        };
    }

    static string Report(string step, HttpResponseMessage response)
    {
        var path = Path.Combine(Env("OUT"), step);
        string text = null;
        if (response.Content.Headers.ContentType.MediaType == "application/json")
        {
            text = response.Content.ReadAsStringAsync().Result;
            File.WriteAllText(path, text);
        }
        else
        {
            File.WriteAllBytes(path, response.Content.ReadAsByteArrayAsync().Result);
        }
        Console.WriteLine("{\"step\":\"" + step + "\",\"status\":" + (int)response.StatusCode + "}");
        return text;
    }

    static string Id(string json, string member)
    {
        return Regex.Match(json, "\"" + member + "\":\"([0-9a-f]{32})\"").Groups[1].Value;
    }

    static void Main()
    {
        var pdf = Env("PDF");
        var first = Id(Report("create_file", Post("sign", Folio(), pdf)), "folioId");
        var base64 = Folio("base64");
        var content = Convert.ToBase64String(File.ReadAllBytes(pdf));
        base64["documentsBase64"] = "[{\"name\":\"" + Path.GetFileName(pdf) + "\",\"content\":\"" + content + "\"}]";
        var second = Id(Report("create_base64", Post("sign", base64)), "folioId");
        var both = "[\"" + first + "\",\"" + second + "\"]";
        var document = Id(Report("read_one", Get("consult?folioId=" + first, Key)), "documentId");
        Report("read_several_json", PostJson(Api + "/consult", "{\"folioId\":" + both + "}"));
        Report("read_several_form", Post("consult", new Dictionary<string, string> { { "folios", both } }));
        Report("resend", Post("forward_emails", new Dictionary<string, string>
        {
            { "folioId", first }, { "signers", Env("CORRECTIONS") }, { "urlReturn", Env("RETURN_URL") },
        }));
        Report("download_get", Get("download?documentId=" + document, Key));
        Report("download_post", Post("download/", new Dictionary<string, string> { { "documentId", document } }));
        var massive = Id(Report("bulk_start", Post("massive_sign", new Dictionary<string, string>
        {
            { "foliosIds", both }, { "signer", Env("BULK_SIGNER") }, { "urlReturn", Env("RETURN_URL") },
        })), "massiveId");
        Report("bulk_read", Get("consult_massive_sign?massiveId=" + massive, Key));
        Report("cancel", Post("cancel", new Dictionary<string, string>
        {
            { "folios", "[\"" + second + "\"]" }, { "observation", Env("OBSERVATION") },
        }));
        Report("sign", PostJson(Env("BASE") + "/sandbox/signers",
            "{\"folioId\":\"" + first + "\",\"documentNumber\":\"" + Env("NUMBER") + "\",\"action\":\"sign\"}"));
        Report("download_signed", Get("download?documentId=" + document, Key));
        Report("evidence", Get("evidence?folioId=" + first, Key));
        Report("evidence_pdf", Get("evidence?format=pdf&folioId=" + first, Key));
        Report("no_key", Get("consult?folioId=" + first, null));
        Report("wrong_key", Get("consult?folioId=" + first, WrongKey));
        Report("create_large", Post("sign", Folio(), Env("LARGE_PDF")));
        Report("refused_large", Send(HttpMethod.Post, Direct + "/sign", WrongKey, Form(Folio(), Env("LARGE_PDF"))));
        Report("create_expecting", Send(HttpMethod.Post, Api + "/sign", Key, Form(Folio(), pdf), true));

        // Text in another charset, which the part's type names.
        var latin1 = new MultipartFormDataContent();
        foreach (var field in Folio("file", "LATIN1"))
            latin1.Add(new StringContent(field.Value, Encoding.GetEncoding("iso-8859-1")), field.Key);
        latin1.Add(new ByteArrayContent(File.ReadAllBytes(pdf)), "documents[]", Env("LATIN1_FILE_NAME"));
        Report("create_latin1", Send(HttpMethod.Post, Api + "/sign", Key, latin1));
    }
}
