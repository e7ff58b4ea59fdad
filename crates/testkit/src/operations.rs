//! The operations as a company's system asks for them.

use crate::company::Company;
use crate::fixtures::FolioFields;
use crate::response::TestResponse;
use serde_json::{Value, json};

impl Company<'_> {
    /// Asks for a folio.
    pub async fn create(&self, folio: FolioFields) -> TestResponse {
        self.post_form("sign", folio).await
    }

    /// Creates a folio, and gives its identifier.
    pub async fn created(&self, folio: FolioFields) -> String {
        let answer = self.create(folio).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.at("/data/folioId")
    }

    /// Reads a folio.
    pub async fn read(&self, folio: &str) -> TestResponse {
        self.get(&format!("consult?folioId={folio}")).await
    }

    /// Reads several.
    pub async fn read_several(&self, folios: &[impl AsRef<str>]) -> TestResponse {
        let ids: Vec<&str> = folios.iter().map(AsRef::as_ref).collect();
        let body = json!({ "folioId": ids }).to_string();
        self.post("consult", "application/json", body).await
    }

    /// Writes to signers again.
    pub async fn resend(&self, folio: &str, signers: &[Value]) -> TestResponse {
        let signers = Value::from(signers).to_string();
        let url = "https://cliente.example.com/de-vuelta";
        let form = [("folioId", folio), ("signers", &signers), ("urlReturn", url)];
        self.post_form("forward_emails", form).await
    }

    /// Downloads a document.
    pub async fn download(&self, document: &str) -> TestResponse {
        self.get(&format!("download?documentId={document}")).await
    }

    /// Cancels folios.
    pub async fn cancel<S: AsRef<str>>(
        &self,
        folios: impl IntoIterator<Item = S>,
        why: &str,
    ) -> TestResponse {
        let folios: Value = folios
            .into_iter()
            .map(|folio| folio.as_ref().to_owned())
            .collect();
        let folios = folios.to_string();
        let form = [("folios", folios.as_str()), ("observation", why)];
        self.post_form("cancel", form).await
    }

    /// Starts a bulk signature.
    pub async fn start_bulk<S: AsRef<str>>(
        &self,
        folios: impl IntoIterator<Item = S>,
        signer: &Value,
    ) -> TestResponse {
        let folios: Value = folios
            .into_iter()
            .map(|folio| folio.as_ref().to_owned())
            .collect();
        let (folios, signer) = (folios.to_string(), json!([signer]).to_string());
        let url = "https://cliente.example.com/masiva";
        let form = [
            ("foliosIds", folios.as_str()),
            ("signer", &signer),
            ("urlReturn", url),
        ];
        self.post_form("massive_sign", form).await
    }

    /// Reads a bulk signature.
    pub async fn read_bulk(&self, bulk: &str) -> TestResponse {
        self.get(&format!("consult_massive_sign?massiveId={bulk}")).await
    }

    /// The first document of a folio.
    pub async fn document_of(&self, folio: &str) -> String {
        self.read(folio).await.at("/data/documents/0/documentId")
    }

    /// Reads the evidence of a folio.
    pub async fn evidence(&self, folio: &str) -> TestResponse {
        self.get(&format!("evidence?folioId={folio}")).await
    }
}
