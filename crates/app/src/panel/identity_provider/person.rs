//! What a provider says of a person: the address, the groups and the role that they give, how the person was recognised.

use super::ProviderSettings;
use domain::limits::{EMAIL, PERSON_NAME};
use domain::{Email, Role};
use serde_json::{Map, Value};

/// Groups of a person that are looked at.
const MAX_GROUPS: usize = 2000;
/// Ways of recognising a person (RFC 8176), by kind: what the person knows, has and is. A provider that names one of them has
/// asked for one factor, whichever it is: a one-time code alone may be all that it asked for.
const KINDS_OF_METHODS: [&[&str]; 3] = [
    &["pwd", "pin", "kba"],
    &["otp", "sms", "hwk", "swk", "tel", "sc"],
    &["fpt", "face", "iris", "retina", "vbm"],
];
/// What a provider says that has asked for several factors, without naming them.
const AMR_MULTI_FACTOR: &str = "mfa";

/// A person as the provider describes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Which one.
    pub subject: String,
    /// The address, in lower case.
    pub email: Option<String>,
    /// Whether it says that the address is the person's; nothing if it says nothing.
    pub email_verified: Option<bool>,
    /// The name.
    pub name: Option<String>,
    /// The groups.
    pub groups: Vec<String>,
    /// Whether it names too many groups to send them.
    pub too_many_groups: bool,
    /// How the person was recognised.
    pub methods: Vec<String>,
}

/// Why a person's groups give no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRole {
    /// The groups give roles, and none of these is the person's.
    NoGroup,
    /// The provider names too many to send them.
    TooMany,
}

/// Why a person's address does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProviderAddressError {
    Missing,
    Unverified,
    ForeignDomain,
}

impl Person {
    pub(super) fn of(claims: &Map<String, Value>, settings: &ProviderSettings) -> Self {
        let text = |name: &str, max: usize| {
            let text = claims.get(name).and_then(Value::as_str).map(str::trim);
            let text = text.filter(|text| !text.is_empty() && !text.contains('\0'));
            text.map(|text| text.chars().take(max).collect::<String>())
        };
        let groups = claim(claims, &settings.groups_claim);
        let overage = claims
            .get("_claim_names")
            .is_some_and(|names| !names[&settings.groups_claim].is_null());
        Self {
            subject: claims
                .get("sub")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            email: text("email", EMAIL + 1).map(|email| crate::panel::normal(&email)),
            email_verified: match claims.get("email_verified") {
                Some(Value::Bool(verified)) => Some(*verified),
                // As some providers write it.
                Some(Value::String(verified)) => Some(verified == "true"),
                _ => None,
            },
            name: text("name", PERSON_NAME),
            groups: texts(groups),
            too_many_groups: groups.is_none() && overage,
            methods: texts(claims.get("amr")),
        }
    }

    /// The highest role that the groups give; none where groups give no roles.
    pub(super) fn role(&self, settings: &ProviderSettings) -> Result<Option<Role>, NoRole> {
        if settings.groups.is_empty() {
            return Ok(None);
        }
        let given = |role: &Role| {
            let groups = settings.groups.of(*role);
            self.groups.iter().any(|group| groups.contains(group))
        };
        match Role::ALL.into_iter().filter(given).max() {
            Some(role) => Ok(Some(role)),
            None if self.too_many_groups => Err(NoRole::TooMany),
            None => Err(NoRole::NoGroup),
        }
    }

    /// The address, if it is the person's and the company lets addresses like that in.
    pub(super) fn address(&self, settings: &ProviderSettings) -> Result<&str, ProviderAddressError> {
        let email = self.email.as_deref().filter(|email| Email::new(*email).is_ok());
        let email = email.ok_or(ProviderAddressError::Missing)?;
        let (_, domain) = email.rsplit_once('@').ok_or(ProviderAddressError::Missing)?;
        if email.chars().count() > EMAIL {
            return Err(ProviderAddressError::Missing);
        }
        if !self.email_verified.unwrap_or(settings.trusts_email) {
            return Err(ProviderAddressError::Unverified);
        }
        let domains = &settings.email_domains;
        if !domains.is_empty() && !domains.iter().any(|known| known == domain) {
            return Err(ProviderAddressError::ForeignDomain);
        }
        Ok(email)
    }

    /// Whether the provider asked for factors of more than one kind.
    pub fn showed_second_factor(&self) -> bool {
        let named = |known: &[&str]| self.methods.iter().any(|method| known.contains(&method.as_str()));
        let kinds = KINDS_OF_METHODS.into_iter().filter(|kind| named(kind));
        named(&[AMR_MULTI_FACTOR]) || kinds.count() > 1
    }
}

/// The claims of a token with those that the provider tells elsewhere. How the person was recognised counts from the signed
/// token alone. Whether an address is the person's counts from where the address is from: what one says of its address
/// says nothing of the other's.
pub(super) fn with_userinfo_claims(
    mut claims: Map<String, Value>,
    told: Map<String, Value>,
) -> Map<String, Value> {
    let token_names_address = claims.contains_key("email");
    if !token_names_address {
        claims.remove("email_verified");
    }
    for (name, value) in told {
        let counts = match name.as_str() {
            "amr" => false,
            "email_verified" => !token_names_address,
            _ => true,
        };
        if counts {
            claims.entry(name).or_insert(value);
        }
    }
    claims
}

/// The claim of that name: the name itself, or a path through objects, as in `realm_access.roles`.
pub(super) fn claim<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    if let Some(found) = claims.get(name) {
        return Some(found);
    }
    let mut parts = name.split('.');
    let first = claims.get(parts.next()?)?;
    parts.try_fold(first, |found, part| found.get(part))
}

/// One text, or several.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => {
            let texts = several.iter().filter_map(Value::as_str);
            texts.take(MAX_GROUPS).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn person(claims: &Value, settings: &ProviderSettings) -> Person {
        Person::of(claims.as_object().unwrap(), settings)
    }

    fn settings() -> ProviderSettings {
        let mut settings = ProviderSettings {
            groups_claim: "realm_access.roles".to_owned(),
            email_domains: vec!["andes.example".to_owned()],
            ..ProviderSettings::default()
        };
        settings.groups.reader = vec!["todos".to_owned()];
        settings.groups.administrator = vec!["jefes".to_owned()];
        settings
    }

    #[test]
    fn the_highest_role_of_the_groups_counts() {
        for (groups, role) in [
            (json!(["todos", "jefes"]), Ok(Some(Role::Administrator))),
            (json!("todos"), Ok(Some(Role::Reader))),
            (json!(["Todos"]), Err(NoRole::NoGroup)),
            (json!([7, null]), Err(NoRole::NoGroup)),
        ] {
            let claims = json!({ "realm_access": { "roles": groups } });
            assert_eq!(person(&claims, &settings()).role(&settings()), role, "{claims}");
        }
        let overage = json!({ "_claim_names": { "groups": "src1" } });
        let entra = ProviderSettings {
            groups_claim: "groups".to_owned(),
            ..settings()
        };
        assert_eq!(person(&overage, &entra).role(&entra), Err(NoRole::TooMany));
        let none = ProviderSettings::default();
        assert_eq!(person(&overage, &none).role(&none), Ok(None));
    }

    #[test]
    fn an_address_counts_if_it_is_verified_and_of_the_company() {
        let trusting = ProviderSettings {
            trusts_email: true,
            ..settings()
        };
        for (claims, plain, trusted) in [
            (
                json!({ "email": " Luisa@Andes.example", "email_verified": true }),
                Ok("luisa@andes.example"),
                Ok("luisa@andes.example"),
            ),
            (
                json!({ "email": "luisa@andes.example" }),
                Err(ProviderAddressError::Unverified),
                Ok("luisa@andes.example"),
            ),
            (
                json!({ "email": "luisa@andes.example", "email_verified": false }),
                Err(ProviderAddressError::Unverified),
                Err(ProviderAddressError::Unverified),
            ),
            (
                json!({ "email": "luisa@sub.andes.example", "email_verified": "true" }),
                Err(ProviderAddressError::ForeignDomain),
                Err(ProviderAddressError::ForeignDomain),
            ),
            (
                json!({}),
                Err(ProviderAddressError::Missing),
                Err(ProviderAddressError::Missing),
            ),
        ] {
            let person = person(&claims, &trusting);
            assert_eq!(person.address(&settings()), plain, "{claims}");
            assert_eq!(person.address(&trusting), trusted, "{claims}");
        }
    }

    #[test]
    fn a_second_factor_is_of_another_kind_than_the_first() {
        for (methods, shown) in [
            (json!(["pwd"]), false),
            (json!(["otp"]), false),
            (json!(["hwk", "swk", "sms", "tel", "sc"]), false),
            (json!(["pwd", "pin", "kba"]), false),
            (json!(["fpt", "face"]), false),
            (json!(["pwd", "fido", "mca", "user", "geo", "rba", "wia"]), false),
            (json!(["pwd", "otp"]), true),
            (json!(["hwk", "pin"]), true),
            (json!(["swk", "fpt"]), true),
            (json!(["vbm", "kba"]), true),
            (json!("mfa"), true),
            (json!(["MFA"]), false),
            (json!(null), false),
        ] {
            let person = person(&json!({ "amr": methods }), &settings());
            assert_eq!(person.showed_second_factor(), shown, "{methods}");
        }
    }

    #[test]
    fn what_is_told_beside_the_token_proves_no_factor_and_no_address_of_the_token() {
        let both = |token: Value, told: Value| {
            let object = |value: Value| value.as_object().unwrap().clone();
            let claims = with_userinfo_claims(object(token), object(told));
            Person::of(&claims, &settings())
        };
        let told =
            json!({ "amr": ["mfa"], "email": "eva@otra.example", "email_verified": true, "name": "Eva" });
        let person = both(json!({ "email": "luisa@andes.example" }), told.clone());
        assert_eq!(person.email.as_deref(), Some("luisa@andes.example"));
        assert_eq!(person.email_verified, None);
        assert_eq!(person.name.as_deref(), Some("Eva"));
        assert!(!person.showed_second_factor());
        // Nor does what the token says of an address that it does not name.
        let unverified = json!({ "email": "luisa@andes.example" });
        let person = both(json!({ "email_verified": true }), unverified);
        assert_eq!(person.email.as_deref(), Some("luisa@andes.example"));
        assert_eq!(person.email_verified, None);
        let person = both(json!({ "email_verified": false, "amr": ["pwd"] }), told);
        assert_eq!(person.email_verified, Some(true));
        assert_eq!(person.methods, ["pwd"]);
    }
}
