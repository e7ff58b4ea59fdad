//! The company's people, as administrators look after them.

use domain::Role;
use testkit::{Person, TestApp};

const NEW: &str = "una frase que nadie sabe";

/// The identifier of the person with that address.
async fn id(app: &TestApp, email: &str) -> String {
    let email = email.to_owned();
    let user = app.app().store.read(move |tx| tx.user_with_email(&email));
    user.await.unwrap().unwrap().id.to_string()
}

#[tokio::test]
async fn somebody_is_invited_and_chooses_a_password() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let wrong = admin
        .post(
            "/panel/users",
            &[("email", "nora"), ("name", " "), ("role", "reader")],
        )
        .await;
    assert_eq!(wrong.status, 422);
    for words in [
        "Escriba un correo electrónico completo",
        "Escriba el nombre completo",
    ] {
        assert!(wrong.text().contains(words), "{words}");
    }
    let invite = [
        ("email", "Nora@example.com"),
        ("name", "Nora Vélez"),
        ("role", "supervisor"),
    ];
    assert_eq!(admin.post("/panel/users", &invite).await.status, 303);
    let taken = admin.post("/panel/users", &invite).await;
    assert!(taken.status == 422 && taken.text().contains("ya pertenece a una cuenta"));
    let list = admin.get("/panel/users").await.text();
    assert!(
        list.contains("nora@example.com") && list.contains("Invitada"),
        "{list}"
    );
    let mail = app.mail_to("nora@example.com", "Su acceso al panel").await;
    let nora = Person::new(&app, "nora@example.com");
    assert_eq!(
        nora.try_password("").await.status,
        422,
        "without a password nobody gets in"
    );
    let link = mail
        .text
        .split("?t=")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap();
    let chosen = nora.post_bare("/panel/reset", &[("t", link), ("new", NEW)]).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    assert_eq!(nora.try_password(NEW).await.status, 303);
    assert!(nora.get("/panel/account").await.text().contains("Supervisión"));
    let again = format!("/panel/users/{}/invite", id(&app, "nora@example.com").await);
    admin.post(&again, &[]).await;
    let audit = admin.get("/panel/audit").await.text();
    assert!(audit.contains("Invitó a alguien") && audit.contains("nora@example.com (Supervisión)"));
    assert!(
        !audit.contains("Volvió a invitar"),
        "who has a password is not invited again"
    );
}

#[tokio::test]
async fn a_role_counts_from_the_next_request_and_sessions_end() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let omar = company.signed_in("omar@example.com", Role::Administrator).await;
    let path = format!("/panel/users/{}", id(&app, "omar@example.com").await);
    assert_eq!(omar.get("/panel/users").await.status, 200);
    assert_eq!(
        admin
            .post(&format!("{path}/role"), &[("role", "reader")])
            .await
            .status,
        303
    );
    assert_eq!(omar.get("/panel/users").await.status, 303);
    omar.sign_in().await;
    assert_eq!(omar.get("/panel/users").await.status, 403);
    assert!(
        admin
            .get("/panel/audit")
            .await
            .text()
            .contains("omar@example.com: Administración → Consulta")
    );
    let asked = admin.post(&format!("{path}/disable"), &[]).await;
    assert!(asked.status == 200 && asked.text().contains("¿Quitar el acceso a esta persona?"));
    assert_eq!(omar.get("/panel/account").await.status, 200);
    assert_eq!(
        admin
            .post(&format!("{path}/disable"), &[("sure", "yes")])
            .await
            .status,
        303
    );
    assert_eq!(omar.get("/panel/account").await.status, 303);
    assert_eq!(omar.try_password(testkit::PASSWORD).await.status, 422);
    assert_eq!(admin.post(&format!("{path}/enable"), &[]).await.status, 303);
    omar.sign_in().await;
}

#[tokio::test]
async fn there_is_always_an_administrator_left() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let (a, b) = ("a@example.com", "b@example.com");
    let (first, second) = (
        company.signed_in(a, Role::Administrator).await,
        company.signed_in(b, Role::Administrator).await,
    );
    let (a, b) = (id(&app, a).await, id(&app, b).await);
    // Each takes the other's role away at the same moment; one of them stays.
    let to_reader = [("role", "reader")];
    let (b_path, a_path) = (format!("/panel/users/{b}/role"), format!("/panel/users/{a}/role"));
    let (one, other) = tokio::join!(first.post(&b_path, &to_reader), second.post(&a_path, &to_reader));
    let left: Vec<_> = [(&first, &a), (&second, &b)]
        .into_iter()
        .zip([other.status, one.status])
        .collect();
    let mut in_power = Vec::new();
    for ((person, id), _) in left {
        if person.get("/panel/users").await.status == 200 {
            in_power.push((person, id));
        }
    }
    let [(last, own)] = in_power.as_slice() else {
        panic!(
            "{} administrators are left: {} {}",
            in_power.len(),
            one.status,
            other.status
        );
    };
    for (act, fields) in [("role", [("role", "supervisor")]), ("disable", [("sure", "yes")])] {
        let refused = last.post(&format!("/panel/users/{own}/{act}"), &fields).await;
        assert_eq!(refused.status, 422, "{act}");
        assert!(
            refused.text().contains("la única persona que administra"),
            "{act}"
        );
    }
}

#[tokio::test]
async fn whoever_was_only_invited_is_no_administrator_who_is_left() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let invite = [
        ("email", "nora@example.com"),
        ("name", "Nora Vélez"),
        ("role", "administrator"),
    ];
    assert_eq!(admin.post("/panel/users", &invite).await.status, 303);
    let own = format!("/panel/users/{}", id(&app, "admin@example.com").await);
    for (act, fields) in [("role", [("role", "reader")]), ("disable", [("sure", "yes")])] {
        let refused = admin.post(&format!("{own}/{act}"), &fields).await;
        assert_eq!(refused.status, 422, "{act}");
    }
    // She is nobody's last hope, and may be demoted.
    let hers = format!("/panel/users/{}/role", id(&app, "nora@example.com").await);
    assert_eq!(admin.post(&hers, &[("role", "reader")]).await.status, 303);
    assert_eq!(admin.get("/panel/users").await.status, 200);
    app.mail_to("nora@example.com", "Su acceso al panel").await;
}

#[tokio::test]
async fn what_the_operator_does_is_in_the_audit() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    company.person("nora@example.com", Role::Reader).await;
    let office = app.app().office();
    office.let_user("nora@example.com", false).await.unwrap();
    let password = app::panel::Password::new(NEW, "nora@example.com").unwrap();
    office
        .set_user_password("nora@example.com", password)
        .await
        .unwrap();
    let key = office
        .add_key("Acme".to_owned(), "nómina".to_owned(), None)
        .await
        .unwrap();
    assert!(office.revoke_key(key.id.to_string()).await.unwrap());
    assert!(!office.revoke_key(key.id.to_string()).await.unwrap());
    office.set_embedding("Acme".to_owned(), Vec::new()).await.unwrap();
    let audit = admin.get("/panel/audit").await.text();
    let rows: Vec<&str> = audit.split("<tr>").collect();
    for (what, detail) in [
        ("Agregó a alguien", "nora@example.com (Consulta)"),
        ("Quitó un acceso", "nora@example.com"),
        ("Puso otra contraseña", "nora@example.com"),
        ("Creó una llave", "nómina"),
        ("Revocó una llave", "nómina"),
        ("Cambió la empresa", "sitios que muestran las páginas"),
    ] {
        let told = |row: &&&str| row.contains(what) && row.contains(detail);
        let row = rows
            .iter()
            .find(told)
            .unwrap_or_else(|| panic!("{what}: {audit}"));
        assert!(row.contains("Operador de la instalación"), "{row}");
    }
    assert_eq!(audit.matches("Revocó una llave").count(), 1);
    let others = app.company("Globex").await;
    let stranger = others.signed_in("otra@example.com", Role::Administrator).await;
    assert!(
        !stranger
            .get("/panel/audit")
            .await
            .text()
            .contains("nora@example.com")
    );
}

#[tokio::test]
async fn a_change_of_a_person_can_be_undone_by_whoever_made_it() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let other = company.signed_in("otra@example.com", Role::Administrator).await;
    company.person("nora@example.com", Role::Reader).await;
    let nora = format!("/panel/users/{}", id(&app, "nora@example.com").await);
    let offered = async |person: &Person<'_>| {
        let page = person.get("/panel/users?done=changed").await.text();
        page.contains("Deshacer")
    };
    assert!(!offered(&admin).await, "nothing was done yet");
    let changed = admin
        .post(&format!("{nora}/role"), &[("role", "supervisor")])
        .await;
    assert_eq!(changed.header("location"), Some("/panel/users?done=changed"));
    let page = admin.get("/panel/users?done=changed").await.text();
    let form = page.split("role=\"status\"").nth(1).unwrap();
    let form = form.split("</form>").next().unwrap();
    assert!(form.contains(&format!("action=\"{nora}/role\"")), "{form}");
    assert!(form.contains("name=\"role\" value=\"reader\""), "{form}");
    assert!(!offered(&other).await, "somebody else did it");
    admin.post(&format!("{nora}/role"), &[("role", "reader")]).await;
    admin.post(&format!("{nora}/disable"), &[("sure", "yes")]).await;
    let page = admin.get("/panel/users?done=changed").await.text();
    assert!(page.contains(&format!("action=\"{nora}/enable\"")), "{page}");
    app.advance(std::time::Duration::from_mins(11));
    assert!(!offered(&admin).await, "too long ago");
}

/// The number that the form of the notice carries.
async fn undoes(person: &Person<'_>) -> String {
    let page = person.get("/panel/users?done=changed").await.text();
    let (_, rest) = page.split_once("name=\"undoes\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn what_is_undone_is_what_was_done_last() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    company.person("nora@example.com", Role::Reader).await;
    company.person("omar@example.com", Role::Reader).await;
    let nora = format!("/panel/users/{}", id(&app, "nora@example.com").await);
    let omar = format!("/panel/users/{}", id(&app, "omar@example.com").await);
    admin.post(&format!("{omar}/disable"), &[("sure", "yes")]).await;
    for (act, fields) in [
        ("role", [("role", "reader")]),
        ("enable", [("sure", "yes")]),
        ("second-factor", [("sure", "yes")]),
        ("invite", [("sure", "yes")]),
    ] {
        let same = admin.post(&format!("{nora}/{act}"), &fields).await;
        assert_eq!(same.header("location"), Some("/panel/users?done=same"), "{act}");
    }
    let page = admin.get("/panel/users?done=same").await.text();
    assert!(page.contains("no se cambió nada"), "{page}");
    assert!(!page.contains("Deshacer"), "{page}");

    let page = admin.get("/panel/users?done=changed").await.text();
    assert!(
        page.contains("Deshacer el cambio de Persona omar@example.com"),
        "{page}"
    );
    let number = undoes(&admin).await;
    let to_supervisor = [("role", "supervisor")];
    assert_eq!(
        admin.post(&format!("{nora}/role"), &to_supervisor).await.status,
        303
    );
    let late = admin
        .post(&format!("{omar}/enable"), &[("undoes", &number)])
        .await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("Algo cambió mientras tanto"));
    let page = admin.get("/panel/users").await.text();
    assert!(page.contains("Sin acceso"), "{page}");

    let number = undoes(&admin).await;
    let back = [("role", "reader"), ("undoes", number.as_str())];
    assert_eq!(admin.post(&format!("{nora}/role"), &back).await.status, 303);
    assert_eq!(admin.post(&format!("{nora}/role"), &back).await.status, 409);
    let page = admin.get("/panel/users").await.text();
    assert!(!page.contains("Supervisión</td>"), "{page}");
}

#[tokio::test]
async fn many_people_are_shown_a_leaf_at_a_time() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let id = company.id;
    let added = app.app().store.write(move |tx| {
        for number in 0..domain::limits::USERS - 1 {
            let new = store::NewUser {
                id: domain::UserId::from_bytes(u128::try_from(number).unwrap().to_be_bytes()),
                company: id,
                email: &format!("persona{number:03}@example.com"),
                name: &"ñ".repeat(domain::limits::PERSON_NAME),
                role: Role::Reader,
                password: None,
                at: domain::Timestamp::from_micros(0),
            };
            tx.add_user(&new)?;
        }
        Ok::<_, store::Error>(())
    });
    added.await.unwrap();
    let mut seen = 0;
    for page in 1..=10 {
        let page = admin.get(&format!("/panel/users?page={page}")).await.text();
        assert!(page.len() < 100_000, "{}", page.len());
        seen += page.matches("@example.com</td>").count();
    }
    assert_eq!(seen, domain::limits::USERS);
}
