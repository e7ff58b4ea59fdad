//! The company's people, as administrators look after them.

use app::operator::keys::KeyRequest;
use domain::Role;
use parts::Postgres;
use testkit::{PanelBrowser, TestApp, until};

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
    assert!(taken.status == 422 && taken.text().contains("ya tiene una invitación pendiente"));
    let list = admin.get("/panel/users").await.text();
    assert!(
        list.contains("nora@example.com") && list.contains("Invitaciones pendientes"),
        "{list}"
    );
    let mail = app.mail_to("nora@example.com", "Su acceso al panel").await;
    let nora = PanelBrowser::new(&app, "nora@example.com");
    assert_eq!(
        nora.try_password("").await.status,
        422,
        "a user without a password cannot sign in"
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
    let taken = admin.post("/panel/users", &invite).await;
    assert!(taken.status == 422 && taken.text().contains("ya es de una persona de su empresa"));
    let list = admin.get("/panel/users").await.text();
    assert!(!list.contains("Invitaciones pendientes"), "{list}");
    let again = format!("/panel/users/{}/invite", id(&app, "nora@example.com").await);
    admin.post(&again, &[]).await;
    let audit = admin.get("/panel/audit").await.text();
    for words in [
        "<td>Invitó a una persona",
        "nora@example.com (Supervisión)",
        "<td>Aceptó una invitación",
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
    assert!(
        !audit.contains("<td>Volvió a invitar"),
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_a_deadlock_ended_is_made_again() {
    let server = tokio::task::spawn_blocking(|| Postgres::start().unwrap());
    let server = server.await.unwrap();
    let database = server.create_database("firmeza").unwrap();
    let app = TestApp::builder().database(database).start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let omar = company.signed_in("omar@example.com", Role::Administrator).await;
    let path = format!("/panel/users/{}/role", id(&app, "omar@example.com").await);

    // It has the sessions, and asks for the users once the change, which has the users, asks for the sessions. The server looks
    // for deadlocks for the change first.
    let rival = "SET deadlock_timeout = '1min'; BEGIN; SELECT 1 FROM panel_sessions FOR UPDATE;
        DO $$ BEGIN
            WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
        END $$;
        SELECT 1 FROM users FOR UPDATE; COMMIT";
    let change = async {
        let locked = "(SELECT pid FROM pg_locks WHERE relation = 'panel_sessions'::regclass
             AND mode = 'RowShareLock')";
        until("the sessions are locked", async || {
            (!app.rows_of(locked).await.is_empty()).then_some(())
        })
        .await;
        admin.post(&path, &[("role", "reader")]).await
    };
    let ((), changed) = tokio::join!(app.tamper(rival), change);
    assert_eq!(changed.status, 303, "{}", changed.text());
    omar.sign_in().await;
    assert_eq!(omar.get("/panel/users").await.status, 403);
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
async fn an_invited_administrator_does_not_count_as_the_last_one() {
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
    app.mail_to("nora@example.com", "Su acceso al panel").await;
}

#[tokio::test]
async fn what_the_operator_does_is_in_the_audit() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    company.panel_user("nora@example.com", Role::Reader).await;
    let operator = app.app().operator();
    operator
        .set_user_enabled("nora@example.com", false)
        .await
        .unwrap();
    let owner = operator.password_owner("nora@example.com").await.unwrap();
    let password = app::panel::Password::new(NEW, &owner).unwrap();
    operator
        .set_user_password("nora@example.com", password)
        .await
        .unwrap();
    let key = operator
        .add_key("Acme".to_owned(), KeyRequest::with_label("nómina".to_owned()))
        .await
        .unwrap();
    assert!(operator.revoke_key(key.id.to_string()).await.unwrap());
    assert!(!operator.revoke_key(key.id.to_string()).await.unwrap());
    operator
        .set_embedding("Acme".to_owned(), Vec::new())
        .await
        .unwrap();
    let audit = admin.get("/panel/audit").await.text();
    let rows: Vec<&str> = audit.split("<tr>").collect();
    for (what, detail) in [
        ("Agregó a una persona", "nora@example.com (Consulta)"),
        ("Quitó el acceso a una persona", "nora@example.com"),
        ("Cambió la contraseña de una persona", "nora@example.com"),
        ("Creó una llave", "nómina"),
        ("Revocó una llave", "nómina"),
        (
            "Cambió los datos de la empresa",
            "sitios que muestran las páginas",
        ),
    ] {
        let told = |row: &&&str| row.contains(what) && row.contains(detail);
        let row = rows
            .iter()
            .find(told)
            .unwrap_or_else(|| panic!("{what}: {audit}"));
        assert!(row.contains("Operador de la instalación"), "{row}");
    }
    assert_eq!(audit.matches("<td>Revocó una llave").count(), 1);
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
async fn a_change_of_a_user_can_be_undone_by_the_one_who_made_it() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let other = company.signed_in("otra@example.com", Role::Administrator).await;
    company.panel_user("nora@example.com", Role::Reader).await;
    let nora = format!("/panel/users/{}", id(&app, "nora@example.com").await);
    let offered = async |person: &PanelBrowser<'_>| {
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
    assert!(!offered(&other).await, "another administrator did it");
    admin.post(&format!("{nora}/role"), &[("role", "reader")]).await;
    admin.post(&format!("{nora}/disable"), &[("sure", "yes")]).await;
    let page = admin.get("/panel/users?done=changed").await.text();
    assert!(page.contains(&format!("action=\"{nora}/enable\"")), "{page}");
    app.advance(std::time::Duration::from_mins(11));
    assert!(!offered(&admin).await, "too long ago");
}

/// The number that the form of the notice carries.
async fn undoes(person: &PanelBrowser<'_>) -> String {
    let page = person.get("/panel/users?done=changed").await.text();
    let (_, rest) = page.split_once("name=\"undoes\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn what_is_undone_is_what_was_done_last() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    company.panel_user("nora@example.com", Role::Reader).await;
    company.panel_user("omar@example.com", Role::Reader).await;
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
async fn many_people_are_shown_a_page_at_a_time() {
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

/// What a page shows but for what is of its own moment: the address invited.
fn without(page: &str, email: &str) -> String {
    let page = page.replace(email, "(address)");
    let mut plain = String::new();
    for (place, part) in page.split("/panel/users/invitations/").enumerate() {
        let part = if place == 0 { part } else { part.get(32..).unwrap() };
        plain.push_str(part);
    }
    plain
}

#[tokio::test]
async fn an_invitation_does_not_tell_whether_an_address_has_an_account_elsewhere() {
    let app = TestApp::builder().delivering().start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let taken = globex.signed_in("a-tomada@example.com", Role::Reader).await;
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    let mut seen = Vec::new();
    for email in ["a-tomada@example.com", "a-nueva@example.com"] {
        let invite = [("email", email), ("name", "Nora Vélez"), ("role", "reader")];
        let answer = admin.post("/panel/users", &invite).await;
        let list = admin.get("/panel/users?done=invited").await.text();
        let again = admin.post("/panel/users", &invite).await;
        let (_, id) = list.split_once("/panel/users/invitations/").unwrap();
        let path = format!("/panel/users/invitations/{}", &id[..32]);
        let resent = admin.post(&format!("{path}/resend"), &[]).await;
        let audit = admin.get("/panel/audit?what=user_invited").await.text();
        let withdrawn = admin.post(&format!("{path}/withdraw"), &[]).await;
        let after = admin.get("/panel/users").await.text();
        assert!(list.contains("Si el correo se puede invitar"), "{list}");
        assert!(list.contains("Invitaciones pendientes") && !after.contains("Invitaciones pendientes"));
        seen.push((
            (answer.status, answer.header("location").map(str::to_owned)),
            without(&list, email),
            (again.status, without(&again.text(), email)),
            (resent.status, resent.header("location").map(str::to_owned)),
            audit.matches("<td>Invitó a una persona").count(),
            (withdrawn.status, withdrawn.header("location").map(str::to_owned)),
        ));
    }
    let (first, second) = (&seen[0], &seen[1]);
    assert_eq!(first.0, second.0);
    assert_eq!(first.1, second.1);
    assert_eq!(first.2, second.2);
    assert_eq!((&first.3, &first.5), (&second.3, &second.5));
    // Only the owner of the address gets an email.
    let mail = app
        .mail_to("a-tomada@example.com", "Acme quiso darle acceso")
        .await;
    assert!(
        mail.text
            .contains("ya tiene una cuenta en el panel de otra empresa")
    );
    assert!(!mail.text.contains("/panel/reset"), "{}", mail.text);
    app.mail_to("a-nueva@example.com", "Su acceso al panel").await;
    assert_eq!(taken.get("/panel/folios").await.status, 200);
}

/// The token of the last invitation's link.
async fn invited_token(app: &TestApp, email: &str, mails: usize) -> String {
    testkit::until("the invitation", async || {
        let mails_now = app.mailbox().await;
        (mails_now.iter().filter(|mail| mail.recipient == email).count() == mails).then_some(())
    })
    .await;
    let mail = app.mail_to(email, "Su acceso al panel").await;
    let token = mail.text.split("?t=").nth(1).unwrap();
    token.split_whitespace().next().unwrap().to_owned()
}

#[tokio::test]
async fn of_two_companies_that_invite_an_address_the_first_that_is_accepted_has_it() {
    let app = TestApp::builder().delivering().start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let first = acme.signed_in("admin@acme.example", Role::Administrator).await;
    let second = globex
        .signed_in("admin@globex.example", Role::Administrator)
        .await;
    let email = "nora@example.com";
    let invite = [("email", email), ("name", "Nora Vélez"), ("role", "supervisor")];
    assert_eq!(first.post("/panel/users", &invite).await.status, 303);
    let of_acme = invited_token(&app, email, 1).await;
    assert_eq!(second.post("/panel/users", &invite).await.status, 303);
    let of_globex = invited_token(&app, email, 2).await;
    let nora = PanelBrowser::new(&app, email);
    let choose = async |token: &str| {
        nora.post_bare("/panel/reset", &[("t", token), ("new", NEW)])
            .await
    };
    assert_eq!(choose(&of_globex).await.status, 303);
    let late = choose(&of_acme).await;
    assert!(
        late.status == 409 && late.text().contains("ya tiene una cuenta"),
        "{}",
        late.text()
    );
    assert_eq!(choose(&of_globex).await.status, 404, "a link works once");
    assert_eq!(nora.try_password(NEW).await.status, 303);
    assert!(nora.get("/panel/account").await.text().contains("Globex"));
    let list = first.get("/panel/users").await.text();
    assert!(
        list.contains("Invitaciones pendientes"),
        "the company is told nothing"
    );
}

#[tokio::test]
async fn an_invited_user_who_lost_the_link_asks_for_another() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let email = "nora@example.com";
    let invite = [("email", email), ("name", "Nora Vélez"), ("role", "reader")];
    assert_eq!(admin.post("/panel/users", &invite).await.status, 303);
    let old = invited_token(&app, email, 1).await;
    app.advance(std::time::Duration::from_hours(1));
    let nora = PanelBrowser::new(&app, email);
    assert_eq!(nora.get(&format!("/panel/reset?t={old}")).await.status, 404);
    nora.post_bare("/panel/forgotten", &[("email", email)]).await;
    let new = invited_token(&app, email, 2).await;
    let chosen = nora.post_bare("/panel/reset", &[("t", &new), ("new", NEW)]).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    nora.forget("firmeza_panel");
    assert_eq!(nora.try_password(NEW).await.status, 303);
}
