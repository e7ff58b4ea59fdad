// Signs PDFs in place with PDFBox, each as a second signer would. After the PKCS #12 file come words of the form
// KIND:FILE.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Calendar;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAppearanceDictionary;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAppearanceStream;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.SignatureInterface;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.SignatureOptions;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

public class SignTwice {
    static PrivateKey key;
    static Certificate[] chain;

    public static void main(String[] words) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = new FileInputStream(words[0])) {
            store.load(file, "clave".toCharArray());
        }
        String alias = store.aliases().nextElement();
        key = (PrivateKey) store.getKey(alias, "clave".toCharArray());
        chain = store.getCertificateChain(alias);
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            String[] parts = word.split(":");
            File file = new File(parts[1]);
            byte[] before = Files.readAllBytes(file.toPath());
            try (PDDocument document = PDDocument.load(before);
                    OutputStreamTo out = new OutputStreamTo(file)) {
                sign(document, parts[0], out);
            }
        }
    }

    static class OutputStreamTo extends FileOutputStream {
        OutputStreamTo(File file) throws IOException {
            super(file);
        }
    }

    static void sign(PDDocument document, String kind, FileOutputStream out) throws Exception {
        PDSignature signature = new PDSignature();
        signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
        signature.setSubFilter(PDSignature.SUBFILTER_ADBE_PKCS7_DETACHED);
        signature.setName("Ajena");
        signature.setReason("Segunda firma");
        signature.setSignDate(Calendar.getInstance());
        SignatureOptions options = new SignatureOptions();
        options.setPreferredSignatureSize(16384);
        switch (kind) {
            case "invisible":
                break;
            case "visible":
                options.setVisualSignature(template(document));
                options.setPage(0);
                break;
            case "field":
                // The empty field that the document has, as PDFBox's example fills it.
                PDSignatureField field =
                        (PDSignatureField) document.getDocumentCatalog().getAcroForm(null).getField("Ajena");
                field.getCOSObject().setItem(COSName.V, signature);
                field.getCOSObject().setNeedToBeUpdated(true);
                break;
            case "last-page":
                options.setVisualSignature(template(document));
                options.setPage(document.getNumberOfPages() - 1);
                break;
            default:
                throw new IllegalArgumentException(kind);
        }
        document.addSignature(signature, new Cms(), options);
        document.saveIncremental(out);
        options.close();
    }

    /** A document with one drawn signature field, as PDFBox's example CreateVisibleSignature2 makes it. */
    static InputStream template(PDDocument source) throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage(source.getPage(0).getMediaBox());
            document.addPage(page);
            PDAcroForm form = new PDAcroForm(document);
            document.getDocumentCatalog().setAcroForm(form);
            PDSignatureField field = new PDSignatureField(form);
            PDAnnotationWidget widget = field.getWidgets().get(0);
            form.setSignaturesExist(true);
            form.setAppendOnly(true);
            form.getCOSObject().setDirect(true);
            form.getFields().add(field);
            PDRectangle place = new PDRectangle(60, 60, 200, 50);
            widget.setRectangle(place);
            PDFormXObject drawing = new PDFormXObject(new PDStream(document));
            PDResources resources = new PDResources();
            drawing.setResources(resources);
            drawing.setFormType(1);
            drawing.setBBox(new PDRectangle(place.getWidth(), place.getHeight()));
            PDAppearanceDictionary appearance = new PDAppearanceDictionary();
            appearance.getCOSObject().setDirect(true);
            PDAppearanceStream stream = new PDAppearanceStream(drawing.getCOSObject());
            appearance.setNormalAppearance(stream);
            widget.setAppearance(appearance);
            try (PDPageContentStream content = new PDPageContentStream(document, stream)) {
                content.setFont(PDType1Font.HELVETICA_BOLD, 10);
                content.beginText();
                content.newLineAtOffset(10, 20);
                content.showText("Firmado por otra");
                content.endText();
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            document.save(out);
            return new ByteArrayInputStream(out.toByteArray());
        }
    }

    static class Cms implements SignatureInterface {
        @Override
        public byte[] sign(InputStream content) throws IOException {
            try {
                X509Certificate certificate = (X509Certificate) chain[0];
                String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
                CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
                generator.addSignerInfoGenerator(
                        new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder().build())
                                .build(new JcaContentSignerBuilder(algorithm).build(key), certificate));
                generator.addCertificates(new JcaCertStore(Arrays.asList(chain)));
                byte[] bytes = IOUtils.toByteArray(content);
                return generator.generate(new CMSProcessableByteArray(bytes), false).getEncoded();
            } catch (Exception error) {
                throw new IOException(error);
            }
        }
    }
}
