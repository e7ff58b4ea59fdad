//! A full disk: creates get an error response, reads still work, and creates work again once there is space.

use super::{Envelope, Subject, assert_failure};
use crate::support::{Client, Installation, Order, Server, cancel, check_integrity, resend, texts, wait_for};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The service with a small disk of its own, which is removed with it.
struct OnSmallDisk {
    server: Server,
    client: Client,
    /// The disk, as it is reached from here.
    disk: PathBuf,
}

impl OnSmallDisk {
    fn serve(installation: &Installation, at: &Path) -> Self {
        let mount = "mount -t tmpfs -o size=12m small \"$0\" && exec \"$@\"";
        let may = Command::new("unshare").args(["--mount", "true"]).output();
        assert!(
            may.is_ok_and(|tried| tried.status.success()),
            "a full disk is tried on a file system of its own: run as root"
        );
        fs::create_dir_all(at).unwrap();
        let wrapper = ["unshare", "--mount", "sh", "-c", mount, at.to_str().unwrap()];
        let server = installation.serve_by(installation.wrapped(&wrapper));
        wait_for("the first key", || server.printed().contains("/docs"));
        let printed = server.printed();
        let key = printed
            .split_whitespace()
            .find(|word| word.starts_with("firmeza_"));
        let disk = format!("/proc/{}/root{}", server.id(), at.display()).into();
        Self {
            client: Client::new(installation.port, key.unwrap()),
            server,
            disk,
        }
    }

    fn ballast(&self) -> PathBuf {
        self.disk.join("ballast")
    }

    /// Leaves no room, not for a single page.
    fn fill(&self) {
        let mut ballast = File::options()
            .create(true)
            .append(true)
            .open(self.ballast())
            .unwrap();
        for size in [64 * 1024, 4096, 1] {
            while ballast.write_all(&vec![7; size]).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }

    /// A copy of the database on that disk: `SQLite` would look for the original where it is not to be seen.
    fn copy_of_database(&self, to: &Path) -> store::Settings {
        let name = "firmeza.sqlite";
        let files = [name.to_owned(), format!("{name}-wal")];
        let read = || {
            let bytes = |file: &String| fs::read(self.disk.join(file)).unwrap();
            files.each_ref().map(bytes)
        };
        // The service may write between the two files: they belong together if they are the same once more.
        let mut found = read();
        wait_for("a database that does not change", || {
            let before = std::mem::replace(&mut found, read());
            before == found
        });
        for (file, bytes) in files.iter().zip(&found) {
            fs::write(to.join(file), bytes).unwrap();
        }
        // The index of another log would mislead.
        let _ = fs::remove_file(to.join(format!("{name}-shm")));
        store::Settings::Sqlite(to.join(name))
    }

    /// Creates until there is no room for one more; the folios that were created.
    fn create_until_full(&self, order: impl Fn() -> Order) -> Vec<Subject> {
        let mut created = Vec::new();
        loop {
            self.fill();
            let order = order();
            let answer = self.client.create(&order);
            if answer.status != 200 {
                assert_failure(&answer, Envelope::A);
                return created;
            }
            let folio = crate::support::folio_id(&answer.json());
            let document = self.client.documents(&folio).remove(0);
            created.push(Subject {
                order,
                folio,
                document,
            });
            assert!(created.len() < 1000, "the disk does not fill");
        }
    }
}

/// What must hold wherever the small disk is. `stops` says whether changes of the rows fail as well.
fn a_full_disk(
    on: &OnSmallDisk,
    database: impl Fn() -> store::Settings,
    documents: &blobs::Location,
    stops: bool,
) {
    let first = Subject::new(&on.client);
    let mut stored = on.create_until_full(Order::small);
    // With small documents, and with one that needs a temporary file.
    stored.extend(on.create_until_full(|| Order::sized(600_000)));
    for subject in stored.iter().chain([&first]) {
        subject.assert_readable(&on.client);
    }
    let downloads = stored.len() + 1;
    let before = done_or_failed(on, &first, stops);
    assert_eq!(before, !stops);

    on.free();
    let mut created = 0;
    wait_for("room to be made use of", || {
        let answer = on.client.create(&Order::sized(600_000));
        created += usize::from(answer.status == 200);
        answer.status == 200
    });
    on.client.created(&Order::small());
    assert!(before || done_or_failed(on, &first, false));
    wait_for("the downloads to be recorded", || {
        let recorded = "SELECT COUNT(*) FROM events WHERE body LIKE '%\"what\":\"downloaded\"%'";
        texts(&database(), recorded) == [downloads.to_string()]
    });
    let whole = check_integrity(&database(), "Demo", documents, 0);
    assert_eq!(
        whole.folios,
        stored.len() + 1 + created + 1,
        "what failed left nothing"
    );
    wait_for("every part to be ready", || {
        parts::answers(on.client.port(), "/ready")
    });
}

/// A resend and a cancellation: both done, or both failed.
fn done_or_failed(on: &OnSmallDisk, subject: &Subject, stops: bool) -> bool {
    let signer = &subject.order.signers[0];
    let resent = on.client.send(resend(&subject.folio, signer, "otra@example.com"));
    let cancelled = on.client.send(cancel(&subject.folio, "Ya no hace falta."));
    if stops {
        assert_failure(&resent, Envelope::B);
        assert_failure(&cancelled, Envelope::A);
        return false;
    }
    assert_eq!(
        (resent.status, cancelled.status),
        (200, 200),
        "{}",
        cancelled.text()
    );
    cancelled.json()["data"]["cancelledFolios"] == 1
}

#[test]
fn a_full_disk_under_the_database() {
    let installation = Installation::new();
    let small = installation.directory().join("small");
    let url = format!("sqlite:{}/firmeza.sqlite", small.display());
    let installation = installation.with("FIRMEZA_DATABASE_URL", url);
    let on = OnSmallDisk::serve(&installation, &small);
    let database = || on.copy_of_database(installation.directory());
    a_full_disk(&on, database, &installation.documents(), true);
}

#[test]
fn a_full_disk_under_the_documents() {
    let installation = Installation::new();
    let small = installation.directory().join("small");
    let installation = installation.with("FIRMEZA_BLOBS_URL", format!("file:{}", small.display()));
    let on = OnSmallDisk::serve(&installation, &small);
    let documents = blobs::Location::Directory(on.disk.clone());
    a_full_disk(&on, || installation.sqlite(), &documents, false);
    let left = on.disk.join(".incoming");
    let stores = fs::read_dir(left).unwrap().map(|store| store.unwrap().path());
    let files = stores
        .filter(|path| path.is_dir())
        .flat_map(|store| fs::read_dir(store).unwrap());
    let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["lock"], "nothing waits for documents that were refused");
}

#[test]
fn a_full_disk_under_everything() {
    let installation = Installation::new();
    let data = installation.data();
    let on = OnSmallDisk::serve(&installation, &data);
    let documents = blobs::Location::Directory(on.disk.join("documents"));
    let database = || on.copy_of_database(installation.directory());
    a_full_disk(&on, database, &documents, true);
}

#[test]
fn a_stop_does_not_wait_forever_for_a_full_disk() {
    let installation = Installation::new();
    let on = OnSmallDisk::serve(&installation, &installation.data());
    let subject = Subject::new(&on.client);
    on.create_until_full(Order::small);
    subject.assert_readable(&on.client);
    on.server.terminate();
    let status = on.server.end();
    assert!(status.success(), "{status}");
}
