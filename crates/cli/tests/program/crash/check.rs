//! Checks that the service still has everything that it confirmed to its clients.

use super::load::{ClientView, Journal, Known};
use crate::support::{Client, document_ids, done, download, folio_id, read_several};
use serde_json::{Value, json};

impl Journal {
    /// Repeats every create that had an idempotency key: answered ones are answered the same, and the one that
    /// was not is answered now. Either way there is one folio, which [`Known`] then stands for.
    pub(crate) fn repeat(&mut self, client: &mut Client) {
        for known in self.known.iter().filter(|known| known.order.key.is_some()) {
            let again = done(&client.try_send(known.order.request()).unwrap());
            assert_eq!(folio_id(&again), known.id, "created twice");
        }
        if let Some(order) = self.unanswered.take_if(|order| order.key.is_some()) {
            let id = folio_id(&done(&client.try_send(order.request()).unwrap()));
            let again = done(&client.try_send(order.request()).unwrap());
            assert_eq!(folio_id(&again), id, "created twice");
            self.known.push(Known::new(order, id));
        }
    }

    /// Reads every folio and downloads every document.
    pub(crate) fn check(&mut self, client: &mut Client) {
        for folios in self.known.chunks_mut(500) {
            let ids: Vec<&str> = folios.iter().map(|known| known.id.as_str()).collect();
            let details = done(&client.try_send(read_several(&ids)).unwrap());
            let details = details["data"].as_array().unwrap();
            assert_eq!(details.len(), folios.len());
            for (known, element) in folios.iter_mut().zip(details) {
                assert_eq!(element["status"], 200, "{known:?}: {element}");
                known.check(&element["data"]);
            }
        }
    }

    pub(crate) fn check_documents(&self, client: &mut Client) {
        for known in &self.known {
            for (id, paper) in known.documents.iter().zip(&known.order.papers) {
                let answer = client.try_send(download(id)).unwrap();
                assert_eq!(answer.status, 200, "{}", answer.text());
                assert!(
                    answer.body == paper.bytes(),
                    "{} of {known:?} differs",
                    paper.name
                );
            }
        }
    }
}

impl Known {
    fn check(&mut self, detail: &Value) {
        let data = &detail["folioData"];
        let order = &self.order;
        self.cancelled = self.cancelled.settled(data["observation"].as_str());
        let (state, name) = match self.cancelled.done {
            Some(_) => ("6", "ANULADO"),
            None => ("2", "PENDIENTE"),
        };
        let kind = if order.signature_type == "1" {
            "OTP Básico"
        } else {
            "OTP Móvil Verificado"
        };
        let expected = json!({
            "folioId": self.id, "name": order.name, "message": order.message,
            "observation": self.cancelled.done,
            "dateCreate": data["dateCreate"], "dateLastUpdate": data["dateLastUpdate"],
            "state": state, "stateName": name, "flag_drop": "0",
            "signatureType": order.signature_type, "signatureTypeName": kind,
        });
        assert_eq!(*data, expected);

        self.email = self.email.settled(detail["signers"][0]["email"].as_str());
        let shown = detail["signers"].as_array().unwrap();
        assert_eq!(shown.len(), order.signers.len());
        for (place, (shown, sent)) in shown.iter().zip(&order.signers).enumerate() {
            let mut expected = sent.clone();
            if let Some(email) = self.email.done.as_ref().filter(|_| place == 0) {
                expected["email"] = json!(email);
            }
            for (field, value) in expected.as_object().unwrap() {
                assert_eq!(shown[field], *value, "{field} of {detail}");
            }
            assert_eq!(shown["folioState"], "2");
            assert_eq!(shown["ipSignatureAddress"], Value::Null);
        }

        self.documents = document_ids(detail);
        let names: Vec<_> = detail["documents"].as_array().unwrap().iter().collect();
        let names: Vec<_> = names
            .iter()
            .map(|document| document["name"].as_str().unwrap())
            .collect();
        let sent: Vec<_> = order.papers.iter().map(|paper| paper.name.as_str()).collect();
        assert_eq!(names, sent);
    }
}

impl ClientView<String> {
    /// What is known once the service has been asked: the change that was never answered was done, or not.
    fn settled(&self, found: Option<&str>) -> Self {
        let was_done = self.perhaps.is_some() && self.perhaps.as_deref() == found;
        Self {
            done: if was_done { &self.perhaps } else { &self.done }.clone(),
            perhaps: None,
        }
    }
}
