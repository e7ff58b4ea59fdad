//! Panel users: an address belongs to one, sessions end, tries are counted, links and account emails are used once.

use crate::db::{Db, all_at_once, company, read, run, write};
use crate::sample::{self, at, lease};
use domain::{
    AccountEmailKind, CompanyId, InvitationId, Language, LegalBasis, PicturePolicy, Role, SessionId, UserId,
};
use store::{
    AccountEmailRow, ActFilter, AuditEntry, AuditRow, CompanyContact, CompanySettings, ErasureDays, Error,
    FailureCount, Logo, NewAccountEmail, NewInvitation, NewUser, ReminderDays, SendOutcome, SessionRow,
    SettledAccountEmail, Store, UserRow,
};

const LUISA: &str = "luisa@example.com";

async fn person(
    store: &Store,
    company: CompanyId,
    number: u8,
    email: &'static str,
) -> Result<UserRow, Error> {
    let added = write(store, move |tx| {
        tx.add_user(&NewUser {
            id: UserId::from_bytes([number; 16]),
            company,
            email,
            name: "Luisa Gómez",
            role: Role::Administrator,
            password: None,
            at: at(1),
        })
    });
    added.await
}

fn session(number: u8, second: i64) -> SessionRow {
    SessionRow {
        second_factor: false,
        digest: [number; 32],
        id: SessionId::from_bytes([number; 16]),
        created_at: at(second),
        used_at: at(second),
        address: Some("203.0.113.7".to_owned()),
        agent: "Firefox".to_owned(),
    }
}

pub(crate) fn an_address_is_one_persons_and_companies_see_their_own(db: &Db) {
    let store = db.open();
    run(async {
        let (acme, globex) = (company(&store, "Acme").await, company(&store, "Globex").await);
        person(&store, acme, 1, LUISA).await.unwrap();
        assert!(matches!(
            person(&store, globex, 2, LUISA).await,
            Err(Error::Duplicate(_))
        ));
        let id = UserId::from_bytes([1; 16]);
        let found = read(&store, move |tx| tx.user_with_email(LUISA)).await.unwrap();
        assert_eq!(
            (found.id, found.company, found.role),
            (id, acme, Role::Administrator)
        );
        assert!(read(&store, move |tx| tx.user(globex, id)).await.is_none());
        assert_eq!(read(&store, move |tx| tx.users_of(globex, 10)).await, []);
        let changed = write(&store, move |tx| {
            assert_eq!(tx.lock_administrators(acme)?, [], "she has no password yet");
            tx.set_password(found.seq, "$argon2id$…")?;
            assert_eq!(tx.lock_administrators(acme)?, [id]);
            tx.set_role(found.seq, Role::Reader)?;
            tx.set_totp(found.seq, Some(b"sealed"), 7)?;
            tx.set_disabled(found.seq, Some(at(9)))?;
            tx.record_sign_in(found.seq, at(8))?;
            tx.lock_administrators(acme)
        });
        assert_eq!(changed.await.unwrap(), []);
        let now = read(&store, move |tx| tx.user(acme, id)).await.unwrap();
        assert_eq!(
            (now.role, now.password.as_deref()),
            (Role::Reader, Some("$argon2id$…"))
        );
        assert_eq!((now.disabled_at, now.last_sign_in_at), (Some(at(9)), Some(at(8))));
        assert_eq!(
            (now.totp_secret.as_deref(), now.totp_step),
            (Some(b"sealed".as_slice()), 7)
        );
    });
}

pub(crate) fn sessions_are_found_rotated_and_ended(db: &Db) {
    let store = db.open();
    run(async {
        let acme = company(&store, "Acme").await;
        let luisa = person(&store, acme, 1, LUISA).await.unwrap();
        let omar = person(&store, acme, 2, "omar@example.com").await.unwrap();
        for number in 1..=4 {
            let begun = write(&store, move |tx| {
                tx.add_panel_session(luisa, &session(number, i64::from(number)), 3)
            });
            begun.await.unwrap();
        }
        let found = async |number: u8, used: i64, begun: i64| {
            let found = read(&store, move |tx| {
                tx.panel_session(&[number; 32], at(used), at(begun))
            })
            .await;
            found.map(|(session, user, company)| (session.digest[0], user.email, company.name))
        };
        let own = |number: u8| Some((number, LUISA.to_owned(), "Acme".to_owned()));
        assert_eq!(found(1, 0, 0).await, None, "the oldest gave way");
        assert_eq!(found(2, 0, 0).await, own(2));
        assert_eq!(found(2, 2, 0).await, None, "not used since");
        assert_eq!(found(2, 0, 2).await, None, "not begun since");
        write(&store, move |tx| tx.touch_panel_session(&[2; 32], at(50)))
            .await
            .unwrap();
        assert_eq!(found(2, 49, 0).await, own(2));
        let rotated = write(&store, move |tx| tx.rotate_panel_session(&[2; 32], &[9; 32]));
        assert!(rotated.await.unwrap());
        assert_eq!((found(2, 0, 0).await, found(9, 0, 0).await), (None, own(9)));
        let id = |number: u8| SessionId::from_bytes([number; 16]);
        let foreign = write(&store, move |tx| tx.end_panel_session(omar, id(3)));
        assert!(!foreign.await.unwrap());
        let listed = read(&store, move |tx| tx.panel_sessions_of(luisa, at(0), at(0))).await;
        assert_eq!(
            listed.iter().map(|one| one.id).collect::<Vec<_>>(),
            [id(2), id(4), id(3)]
        );
        let ended = write(&store, move |tx| tx.end_panel_sessions(luisa, Some(id(4))));
        assert_eq!(ended.await.unwrap(), 2);
        write(&store, move |tx| tx.set_disabled(luisa, Some(at(60))))
            .await
            .unwrap();
        assert_eq!(found(4, 0, 0).await, None, "a disabled user has no session");
        let gone = write(&store, move |tx| tx.delete_old_panel_sessions(at(4), 9));
        assert_eq!(gone.await.unwrap(), 1);
    });
}

pub(crate) fn sessions_of_a_clock_that_was_ahead_give_way(db: &Db) {
    const DAY: i64 = 24 * 3600;
    let store = db.open();
    run(async {
        let acme = company(&store, "Acme").await;
        let luisa = person(&store, acme, 1, LUISA).await.unwrap();
        let begin = async |number: u8, second: i64| {
            let begun = write(&store, move |tx| {
                tx.add_panel_session(luisa, &session(number, second), 3)
            });
            begun.await.unwrap();
        };
        begin(1, 5).await;
        for number in 2..=4 {
            begin(number, 2 * DAY + i64::from(number)).await;
        }
        // The clock went back, and another instance's is a little ahead.
        begin(5, 30).await;
        begin(6, 20).await;
        let left = read(&store, move |tx| tx.panel_sessions_of(luisa, at(0), at(0))).await;
        let left: Vec<u8> = left.iter().map(|one| one.digest[0]).collect();
        assert_eq!(left, [5, 6]);
    });
}

pub(crate) fn tries_that_come_at_once_are_counted_one_by_one(db: &Db) {
    let stores = db.open_many(3);
    run(async {
        let tries = (0..30).map(|number: usize| {
            let store = stores[number % 3].clone();
            async move {
                // Each in another order: there is no deadlock.
                let mut scopes = [[1; 32], [2; 32]];
                scopes.rotate_left(number % 2);
                let tried = store.write(move |tx| {
                    let counts = tx.lock_failures(&scopes, at(5))?;
                    let more = |count: FailureCount| FailureCount {
                        failures: count.failures + 1,
                        last_at: at(5),
                        ..count
                    };
                    tx.set_failures(&counts.into_iter().map(more).collect::<Vec<_>>())
                });
                tried.await.unwrap();
            }
        });
        all_at_once(tries).await;
        let store = &stores[0];
        let counts = |scopes: [[u8; 32]; 2]| async move {
            let counts = write(store, move |tx| tx.lock_failures(&scopes, at(6)))
                .await
                .unwrap();
            counts
                .iter()
                .map(|count| (count.scope[0], count.failures))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts([[2; 32], [1; 32]]).await, [(2, 30), (1, 30)]);
        write(store, move |tx| tx.reset_failures(&[[1; 32]]))
            .await
            .unwrap();
        assert_eq!(counts([[1; 32], [2; 32]]).await, [(1, 0), (2, 30)]);
        let deleted = write(store, move |tx| tx.delete_old_failures(at(6), 9));
        assert_eq!(deleted.await.unwrap(), 1);
    });
}

pub(crate) fn steps_codes_and_links_are_used_once(db: &Db) {
    let stores = db.open_many(2);
    let store = &stores[0];
    run(async {
        let acme = company(store, "Acme").await;
        let luisa = person(store, acme, 1, LUISA).await.unwrap();
        let kept = write(store, move |tx| {
            tx.set_totp(luisa, Some(b"sealed"), 100)?;
            tx.put_recovery_codes(luisa, &[[1; 32], [2; 32]])?;
            tx.add_password_link(&[7; 32], luisa, at(10), at(20))
        });
        kept.await.unwrap();
        let stores = &stores;
        let race = async |act: fn(&mut store::Tx<'_>, UserRow) -> Result<bool, Error>| {
            let tries = (0..8).map(|number: usize| {
                let store = stores[number % 2].clone();
                async move { store.write(move |tx| act(tx, luisa)).await.unwrap() }
            });
            all_at_once(tries).await.into_iter().filter(|won| *won).count()
        };
        assert_eq!(race(|tx, luisa| tx.use_totp_step(luisa, 101)).await, 1);
        assert_eq!(
            race(|tx, luisa| tx.use_totp_step(luisa, 100)).await,
            0,
            "it was used before"
        );
        assert_eq!(
            race(|tx, luisa| tx.use_recovery_code(luisa, &[1; 32], at(11))).await,
            1
        );
        assert_eq!(read(store, move |tx| tx.recovery_codes_left(luisa)).await, 1);
        let holder = async |second: i64| {
            let user = read(store, move |tx| tx.password_link(&[7; 32], at(second))).await;
            user.map(|user| user.email)
        };
        assert_eq!(holder(19).await.as_deref(), Some(LUISA));
        assert_eq!(holder(20).await, None);
        assert_eq!(race(|tx, _| tx.use_password_link(&[7; 32])).await, 1);
        assert_eq!(holder(11).await, None);
    });
}

async fn queue_passwords(store: &Store, company: CompanyId, count: u8) {
    for number in 0..count {
        let queued = write(store, move |tx| {
            tx.queue_account_email(&NewAccountEmail {
                company,
                kind: AccountEmailKind::NewPassword,
                recipient: LUISA,
                name: "Luisa",
                language: None,
                secret: Some(&[number]),
                at: at(1),
            })
        });
        queued.await.unwrap();
    }
}

/// An email that tells of something, without a link.
async fn queue_notice(store: &Store, company: CompanyId) {
    let queued = write(store, move |tx| {
        tx.queue_account_email(&NewAccountEmail {
            company,
            kind: AccountEmailKind::SecondFactorOff,
            recipient: LUISA,
            name: "Luisa",
            language: None,
            secret: None,
            at: at(1),
        })
    });
    queued.await.unwrap();
}

pub(crate) fn account_emails_with_a_link_are_taken_first(db: &Db) {
    let store = &db.open();
    run(async {
        let acme = company(store, "Acme").await;
        for _ in 0..3 {
            queue_notice(store, acme).await;
        }
        queue_passwords(store, acme, 1).await;
        let take = || write(store, |tx| tx.take_account_emails(at(2), &lease(2, 60), 2));
        let first = take().await.unwrap();
        assert_eq!(first.len(), 2);
        assert_eq!(first.iter().filter(|email| email.secret.is_some()).count(), 1);
        let rest = take().await.unwrap();
        assert!(rest.len() == 2 && rest.iter().all(|email| email.secret.is_none()));
    });
}

pub(crate) fn account_emails_are_taken_by_one_and_settled(db: &Db) {
    let stores = db.open_many(2);
    let store = &stores[0];
    run(async {
        let acme = company(store, "Acme").await;
        queue_passwords(store, acme, 6).await;
        let takers = (0..4).map(|number: usize| {
            let store = stores[number % 2].clone();
            async move {
                store
                    .write(move |tx| tx.take_account_emails(at(2), &lease(2, 60), 3))
                    .await
                    .unwrap()
            }
        });
        let taken: Vec<_> = all_at_once(takers).await.into_iter().flatten().collect();
        let mut seqs: Vec<AccountEmailRow> = taken.iter().map(|letter| letter.seq).collect();
        seqs.sort_unstable();
        seqs.dedup();
        assert_eq!((taken.len(), seqs.len()), (6, 6));
        assert!(
            taken
                .iter()
                .all(|letter| letter.attempt == 1 && letter.company == "Acme")
        );
        let endings = [
            SendOutcome::Sent { at: at(3) },
            SendOutcome::Postponed {
                at: at(3),
                until: at(30),
                reason: "no answer".to_owned(),
            },
            SendOutcome::Dead {
                reason: "no such address".to_owned(),
            },
        ];
        let settled: Vec<_> = taken
            .iter()
            .zip(endings)
            .map(|(letter, outcome)| SettledAccountEmail {
                seq: letter.seq,
                attempt: letter.attempt,
                outcome,
            })
            .collect();
        write(store, move |tx| tx.settle_account_emails(&settled))
            .await
            .unwrap();
        let given_up = read(store, |tx| {
            tx.undelivered_account_emails(true, AccountEmailRow::ZERO, 10)
        })
        .await;
        assert_eq!(given_up.len(), 1);
        assert_eq!(
            (given_up[0].seq, given_up[0].last_error.as_deref()),
            (taken[2].seq, Some("no such address"))
        );
        let waiting = read(store, |tx| {
            tx.undelivered_account_emails(false, AccountEmailRow::ZERO, 10)
        })
        .await;
        assert_eq!(waiting.len(), 4);
        let again = |second: i64| {
            write(store, move |tx| {
                tx.take_account_emails(at(second), &lease(second, 200), 10)
            })
        };
        assert_eq!(again(29).await.unwrap(), []);
        let later = again(30).await.unwrap();
        assert_eq!(
            later
                .iter()
                .map(|letter| (letter.seq, letter.attempt))
                .collect::<Vec<_>>(),
            [(taken[1].seq, 2)]
        );
        assert!(later[0].secret.is_some());
        assert_eq!(
            again(100).await.unwrap().len(),
            3,
            "an email without an outcome is leased again"
        );
        let deleted = write(store, move |tx| tx.delete_old_account_emails(at(500), 9));
        assert_eq!(
            deleted.await.unwrap(),
            2,
            "what is settled, and nothing that waits"
        );
    });
}

pub(crate) fn a_companys_choices_are_kept_and_count(db: &Db) {
    let store = db.open();
    run(async {
        let (acme, globex) = (company(&store, "Acme").await, company(&store, "Globex").await);
        let chosen = CompanySettings {
            name: "Ñandú".to_owned(),
            colour: Some("#7a1f5c".to_owned()),
            timezone: Some("Asia/Tokyo".to_owned()),
            embedding_origins: vec!["https://a.example".to_owned(), "https://b.example".to_owned()],
            approval: true,
            second_factor_required: true,
            folio_days: Some(3),
            retention_days: Some(30),
            erasure: ErasureDays {
                signed: Some(3660),
                rejected: Some(365),
                cancelled: Some(30),
                pending: None,
            },
            reminders: ReminderDays {
                first: Some(3),
                every: Some(2),
                max: 5,
                before_expiry: Some(1),
            },
            contact: CompanyContact {
                name: "Servicio al cliente".to_owned(),
                email: "ayuda@nandu.example".to_owned(),
                phone: "601 345 6789".to_owned(),
            },
            auto_return: true,
            read_to_end: true,
            picture: PicturePolicy::Required,
            language: Language::Portuguese,
            legal_basis: Some(LegalBasis::new("Lei 14.063 de 2020 (Brasil)").unwrap()),
            logo: None,
        };
        let kept = chosen.clone();
        write(&store, move |tx| tx.set_company_settings(acme, &kept))
            .await
            .unwrap();
        let taken = chosen.clone();
        let taken = write(&store, move |tx| tx.set_company_settings(globex, &taken)).await;
        assert!(matches!(taken, Err(Error::Duplicate(_))));
        let logo = Logo {
            kind: "image/png".to_owned(),
            bytes: vec![1, 2, 3],
        };
        let put = logo.clone();
        write(&store, move |tx| tx.set_logo(acme, Some((&put, [5; 32]))))
            .await
            .unwrap();
        let read_back = read(&store, move |tx| tx.company_settings(acme)).await.unwrap();
        assert_eq!(
            read_back,
            CompanySettings {
                logo: Some([5; 32]),
                ..chosen
            }
        );
        assert_eq!(read(&store, |tx| tx.logo(&[5; 32])).await, Some(logo));
        let mut created = sample::created(acme, 1, &[[1; 32]]);
        created.folio.expires_at = None;
        let folio = created.folio.id;
        let expected = created
            .folio
            .created_at
            .after(std::time::Duration::from_hours(72));
        write(&store, move |tx| tx.insert_folio(&created, &[vec![0]]))
            .await
            .unwrap();
        let stored = read(&store, move |tx| tx.folios(acme, &[folio]))
            .await
            .pop()
            .unwrap();
        assert_eq!(stored.folio.expires_at, Some(expected));
        let retentions = read(&store, |tx| tx.retentions()).await;
        assert_eq!(
            retentions
                .iter()
                .map(|one| (one.company, one.days))
                .collect::<Vec<_>>(),
            [(acme, 30)]
        );
        let old = read(&store, move |tx| {
            tx.finished_before(retentions[0], at(1 << 30), 10)
        })
        .await;
        assert_eq!(old, [], "what is pending is not finished");
    });
}

async fn noted(store: &Store, company: CompanyId, second: i64, who: &'static str, what: &'static str) {
    let noted = write(store, move |tx| {
        let act = AuditEntry {
            seq: AuditRow::ZERO,
            at: at(second),
            who: who.to_owned(),
            address: None,
            what: what.to_owned(),
            detail: second.to_string(),
            times: 1,
        };
        tx.record_act(company, &act)
    });
    noted.await.unwrap();
}

fn told(acts: &[AuditEntry]) -> Vec<&str> {
    acts.iter().map(|act| act.detail.as_str()).collect()
}

pub(crate) fn the_audit_is_read_backwards_and_by_its_company(db: &Db) {
    let store = db.open();
    run(async {
        let (acme, globex) = (company(&store, "Acme").await, company(&store, "Globex").await);
        for (company, second, who, what) in [
            (acme, 1, LUISA, "key_made"),
            (globex, 2, LUISA, "key_made"),
            (acme, 3, "omar@example.com", "key_made"),
            (acme, 4, LUISA, "signed_in"),
            // Another instance's clock is a little behind.
            (acme, 3, LUISA, "key_revoked"),
        ] {
            noted(&store, company, second, who, what).await;
        }
        let page = async |filter: ActFilter, before, limit| {
            read(&store, move |tx| tx.acts_before(acme, &filter, before, limit)).await
        };
        let all = ActFilter::default;
        let first = page(all(), None, 2).await;
        assert_eq!(told(&first), ["4", "3"]);
        let second = page(all(), Some(first[1].position()), 2).await;
        assert_eq!(told(&second), ["3", "1"]);
        assert_ne!(second[0].seq, first[1].seq);
        let who = |who: &str| Some(who.to_owned());
        for (filter, expected) in [
            (
                ActFilter {
                    who: who(LUISA),
                    ..all()
                },
                vec!["4", "3", "1"],
            ),
            (
                ActFilter {
                    what: who("key_made"),
                    ..all()
                },
                vec!["3", "1"],
            ),
            (
                ActFilter {
                    who: who(LUISA),
                    what: who("key_made"),
                    ..all()
                },
                vec!["1"],
            ),
            (
                ActFilter {
                    from: Some(at(3)),
                    ..all()
                },
                vec!["4", "3", "3"],
            ),
            (
                ActFilter {
                    until: Some(at(3)),
                    ..all()
                },
                vec!["1"],
            ),
            (
                ActFilter {
                    from: Some(at(3)),
                    until: Some(at(4)),
                    ..all()
                },
                vec!["3", "3"],
            ),
        ] {
            let found = page(filter.clone(), None, 10).await;
            assert_eq!(told(&found), expected, "{filter:?}");
        }
        let row = first[0].seq;
        write(&store, move |tx| tx.count_act(row)).await.unwrap();
        assert_eq!(page(all(), None, 1).await[0].times, 2);
        let last = async |kinds: &'static [&'static str], since: i64| {
            let last = read(&store, move |tx| tx.last_act_of(acme, kinds, at(since))).await;
            last.map(|act| (act.what, act.detail))
        };
        let made = Some(("key_made".to_owned(), "3".to_owned()));
        assert_eq!(last(&["key_made", "role_changed"], 0).await, made);
        assert_eq!(last(&["key_made", "role_changed"], 3).await, None);
    });
}

pub(crate) fn old_acts_are_deleted(db: &Db) {
    let store = db.open();
    run(async {
        let acme = company(&store, "Acme").await;
        for second in [1, 2, 9, 3] {
            noted(&store, acme, second, LUISA, "signed_in").await;
        }
        let forget = async |second: i64, limit| {
            write(&store, move |tx| tx.delete_old_acts(at(second), limit))
                .await
                .unwrap()
        };
        assert_eq!(forget(3, 1).await, 1, "no more at once than it may be");
        assert_eq!(forget(3, 10).await, 1);
        assert_eq!(forget(3, 10).await, 0);
        let left = read(&store, move |tx| {
            tx.acts_before(acme, &ActFilter::default(), None, 10)
        })
        .await;
        assert_eq!(told(&left), ["9", "3"]);
    });
}

pub(crate) fn an_invitation_is_its_companys_and_says_nothing_of_accounts(db: &Db) {
    let store = db.open();
    run(async {
        let (acme, globex) = (company(&store, "Acme").await, company(&store, "Globex").await);
        person(&store, acme, 1, LUISA).await.unwrap();
        let invite = async |company: CompanyId, number: u8, second: i64| {
            write(&store, move |tx| {
                tx.add_invitation(&NewInvitation {
                    id: InvitationId::from_bytes([number; 16]),
                    company,
                    email: LUISA,
                    name: "Luisa Gómez",
                    role: Role::Supervisor,
                    digest: &[number; 32],
                    at: at(second),
                    expires_at: at(second + 10),
                })
            })
            .await
        };
        invite(globex, 7, 1).await.unwrap();
        assert!(matches!(invite(globex, 8, 1).await, Err(Error::Duplicate(_))));
        invite(acme, 9, 2).await.unwrap();
        let id = InvitationId::from_bytes([7; 16]);
        let foreign = write(&store, move |tx| tx.lock_invitation(acme, id)).await;
        assert_eq!(foreign.unwrap(), None);
        let own = write(&store, move |tx| tx.lock_invitation(globex, id)).await;
        let own = own.unwrap().unwrap();
        assert_eq!(
            (own.email.as_str(), own.role, own.sent_at),
            (LUISA, Role::Supervisor, at(1))
        );
        assert_eq!(
            read(&store, move |tx| tx.invitations_of(globex, 10)).await,
            std::slice::from_ref(&own)
        );
        let last = read(&store, |tx| tx.last_invitation(LUISA)).await.unwrap();
        assert_eq!(last.company, acme);
        let by_link = async |number: u8, second: i64| {
            let found = read(&store, move |tx| tx.invitation_by_link(&[number; 32], at(second))).await;
            found.map(|found| found.company)
        };
        assert_eq!((by_link(7, 10).await, by_link(7, 11).await), (Some(globex), None));
        let renewed = write(&store, move |tx| {
            tx.renew_invitation(own.seq, &[77; 32], at(20), at(30))
        });
        renewed.await.unwrap();
        assert_eq!((by_link(7, 5).await, by_link(77, 29).await), (None, Some(globex)));
        let deleted = write(&store, |tx| tx.delete_old_invitations(at(20), 9)).await;
        assert_eq!(deleted.unwrap(), 1, "the one that was not sent again");
        assert!(
            write(&store, move |tx| tx.remove_invitation(own.seq))
                .await
                .unwrap()
        );
        assert!(
            !write(&store, move |tx| tx.remove_invitation(own.seq))
                .await
                .unwrap()
        );
    });
}
