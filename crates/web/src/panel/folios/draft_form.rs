//! What was typed into the form of a new folio, and what its buttons do to it.

use crate::page::FormFields;
use domain::limits;
use serde::{Deserialize, Serialize};
use store::{DraftDocumentRow, SignerContact};

/// Characters of a field that are kept; more is too long for any of them.
const MAX_FIELD_CHARS: usize = 2100;

/// The fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DraftForm {
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) sms: bool,
    /// A code; empty for the company's language.
    pub(crate) language: String,
    pub(crate) return_url: String,
    pub(crate) send: bool,
    pub(crate) signers: Vec<SignerForm>,
}

/// What was typed about a signer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SignerForm {
    /// What the signer is in folios of the template that the form was made of.
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) number: String,
    pub(crate) email: String,
    pub(crate) mobile: String,
}

impl SignerForm {
    /// One with a role is asked for: it is taken out by its button.
    pub(crate) fn is_blank(&self) -> bool {
        [&self.role, &self.name, &self.number, &self.email, &self.mobile]
            .iter()
            .all(|text| text.is_empty())
    }

    /// Takes what is not typed from the last folio of the person of that name.
    fn fill(&mut self, contacts: &[SignerContact]) {
        let typed = self.name.to_lowercase();
        let Some(known) = contacts.iter().find(|known| known.name.to_lowercase() == typed) else {
            return;
        };
        if self.number.is_empty() {
            known.document_type.clone_into(&mut self.kind);
        }
        for (field, value) in [
            (&mut self.number, &known.document_number),
            (&mut self.email, &known.email),
            (&mut self.mobile, &known.mobile),
        ] {
            if field.is_empty() {
                value.clone_into(field);
            }
        }
    }
}

/// What the button that sent the form asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormAction {
    Create,
    Save,
    /// Keeps the form, and goes on to the page that makes a template of it.
    Template,
    Add,
    Remove(usize),
    Up(usize),
    Down(usize),
    /// Fills in what is known of the signer from earlier folios.
    Fill(usize),
    /// Takes a document out.
    Forget(DraftDocumentRow),
}

impl FormAction {
    /// From the button's value. A form without one, and one that makes no sense, is to be created.
    pub(crate) fn of(value: &str) -> Self {
        let (verb, what) = value.split_once(':').unwrap_or((value, ""));
        let index = what.parse::<usize>().unwrap_or(usize::MAX);
        match verb {
            "save" => Self::Save,
            "template" => Self::Template,
            "add" => Self::Add,
            "remove" => Self::Remove(index),
            "up" => Self::Up(index),
            "down" => Self::Down(index),
            "fill" => Self::Fill(index),
            "forget" => Self::Forget(what.parse().unwrap_or(DraftDocumentRow::ZERO)),
            _ => Self::Create,
        }
    }

    /// The part of the page that the button changed.
    pub(crate) const fn fragment(self) -> &'static str {
        match self {
            Self::Create | Self::Save | Self::Template => "",
            Self::Add => "#add",
            Self::Remove(_) | Self::Up(_) | Self::Down(_) | Self::Fill(_) => "#signers-title",
            Self::Forget(_) => "#documents-title",
        }
    }
}

impl DraftForm {
    /// An empty form.
    pub(crate) fn blank() -> Self {
        Self {
            send: true,
            signers: vec![SignerForm::default()],
            ..Self::default()
        }
    }

    /// The form as it was sent.
    pub(crate) fn sent(form: &FormFields) -> Self {
        let text = |name: &str| -> String { form.get(name).trim().chars().take(MAX_FIELD_CHARS).collect() };
        let signer = |index: usize| SignerForm {
            role: text(&format!("role{index}"))
                .chars()
                .take(limits::FOLIO_TEMPLATE_NAME)
                .collect(),
            name: text(&format!("name{index}")),
            kind: text(&format!("kind{index}")),
            number: text(&format!("number{index}")),
            email: text(&format!("email{index}")),
            mobile: text(&format!("mobile{index}")),
        };
        let is_sent = |index: usize| index == 0 || form.has(&format!("name{index}"));
        Self {
            name: text("name"),
            message: text("message"),
            sms: form.get("signatureType") == "2",
            language: text("language"),
            return_url: text("returnUrl"),
            send: form.has("sendEmail"),
            signers: (0..limits::SIGNERS)
                .filter(|index| is_sent(*index))
                .map(signer)
                .collect(),
        }
    }

    /// The form of a draft. One that a later version wrote may lack fields.
    pub(crate) fn from_json(text: &str) -> Self {
        let mut form: Self = serde_json::from_str(text).unwrap_or_default();
        if form.signers.is_empty() {
            form.signers.push(SignerForm::default());
        }
        form.signers.truncate(limits::SIGNERS);
        form
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_value(self).unwrap_or_default().to_string()
    }

    /// The same form with these roles in place of people.
    pub(crate) fn with_roles(&self, roles: Vec<String>) -> Self {
        let signer = |role| SignerForm {
            role,
            ..SignerForm::default()
        };
        Self {
            signers: roles.into_iter().map(signer).collect(),
            ..self.clone()
        }
    }

    /// Does what the button asks for.
    pub(crate) fn act(&mut self, action: FormAction, contacts: &[SignerContact]) {
        let count = self.signers.len();
        match action {
            FormAction::Add if count < limits::SIGNERS => self.signers.push(SignerForm::default()),
            FormAction::Remove(index) if index < count => {
                self.signers.remove(index);
                if self.signers.is_empty() {
                    self.signers.push(SignerForm::default());
                }
            }
            FormAction::Up(index) if index > 0 && index < count => self.signers.swap(index, index - 1),
            FormAction::Down(index) if index.checked_add(1).is_some_and(|next| next < count) => {
                self.signers.swap(index, index + 1);
            }
            FormAction::Fill(index) => {
                if let Some(signer) = self.signers.get_mut(index) {
                    signer.fill(contacts);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(names: &[&str]) -> DraftForm {
        let signer = |name: &&str| SignerForm {
            name: (*name).to_owned(),
            ..SignerForm::default()
        };
        DraftForm {
            signers: names.iter().map(signer).collect(),
            ..DraftForm::blank()
        }
    }

    fn after(names: &[&str], action: &str) -> Vec<String> {
        let mut form = form(names);
        form.act(FormAction::of(action), &[]);
        form.signers.into_iter().map(|signer| signer.name).collect()
    }

    #[test]
    fn signers_are_added_removed_and_moved() {
        assert_eq!(after(&["a", "b"], "add"), ["a", "b", ""]);
        assert_eq!(after(&["a", "b"], "remove:0"), ["b"]);
        assert_eq!(after(&["a"], "remove:0"), [""]);
        assert_eq!(after(&["a", "b", "c"], "up:2"), ["a", "c", "b"]);
        assert_eq!(after(&["a", "b", "c"], "down:0"), ["b", "a", "c"]);
        let ten = ["a"; limits::SIGNERS];
        assert_eq!(after(&ten, "add").len(), limits::SIGNERS);
        for odd in [
            "up:0",
            "down:1",
            "up:9",
            "down:18446744073709551615",
            "remove:x",
            "fill:7",
            "odd",
        ] {
            assert_eq!(after(&["a", "b"], odd), ["a", "b"], "{odd}");
        }
    }

    #[test]
    fn what_is_known_of_a_person_fills_what_is_not_typed() {
        let known = SignerContact {
            folio: store::FolioRow(1),
            name: "Marta Díaz".to_owned(),
            document_type: "CE".to_owned(),
            document_number: "778".to_owned(),
            email: "marta@example.com".to_owned(),
            mobile: "3001234567".to_owned(),
        };
        let mut form = form(&["marta díaz", "Otra"]);
        form.signers[0].email = "nuevo@example.com".to_owned();
        for index in ["fill:0", "fill:1"] {
            form.act(FormAction::of(index), std::slice::from_ref(&known));
        }
        let filled = &form.signers[0];
        assert_eq!((filled.kind.as_str(), filled.number.as_str()), ("CE", "778"));
        assert_eq!(
            (filled.email.as_str(), filled.mobile.as_str()),
            ("nuevo@example.com", "3001234567")
        );
        assert_eq!(form.signers[1].number, "");
    }

    #[test]
    fn a_form_survives_its_draft() {
        let form = form(&["a", "b"]);
        assert_eq!(DraftForm::from_json(&form.to_json()), form);
        assert_eq!(DraftForm::from_json("{\"later\": 1}").signers.len(), 1);
        assert_eq!(DraftForm::from_json("").signers.len(), 1);
    }
}
