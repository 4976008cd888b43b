// Asking the server: one answer, or an error with a code that has its words in every language.

const FIRST_PAUSE = 500; // milliseconds before a second try; each pause is twice the one before
const LONGEST_PAUSE = 4000;

/** The answer to a question; without a body it is fetched. */
export async function ask(path, body, signal) {
  let response;
  try {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    response = await fetch(path, { ...(body === undefined ? {} : post), signal });
  } catch (error) {
    throw { code: error.name === "AbortError" ? "aborted" : "network", values: {} };
  }
  const answer = await response.json().catch(() => ({ error: { code: "server", values: {} } }));
  if (signal?.aborted) throw { code: "aborted", values: {} };
  if (answer.error) throw answer.error;
  return answer;
}

/** Try until there is an answer: a server that is gone or busy is asked again, while `wanted()` is true. */
export async function persist(attempt, wanted, onTrouble) {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await attempt();
    } catch (error) {
      if (!["network", "busy"].includes(error.code) || !wanted()) throw error;
      onTrouble(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (!wanted()) throw { code: "aborted", values: {} };
  }
}
