// New messages appear by themselves; without this script, by loading the page again.
"use strict";
const letters = document.getElementById("letters");
const empty = document.getElementById("empty");

async function look() {
  if (document.hidden) return;
  const answer = await fetch("/mailbox/letters?after=" + letters.dataset.newest, { cache: "no-store" });
  if (answer.status !== 200) return;
  const came = document.createElement("template");
  came.innerHTML = await answer.text();
  const newest = came.content.querySelector("article");
  if (!newest) return;
  for (const letter of came.content.querySelectorAll("article")) letter.classList.add("new");
  letters.dataset.newest = newest.dataset.seq;
  letters.prepend(came.content);
  empty.hidden = true;
}

async function keepLooking() {
  try {
    await look();
  } catch {
    // The server is away for the moment; the next look will tell.
  }
  setTimeout(keepLooking, 1500);
}

document.addEventListener("visibilitychange", () => look().catch(() => {}));
keepLooking();
