import { type ReactNode, useEffect } from "react";
import { liveLeftSessions } from "../../data/live-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { Notice } from "../../frame/notice.tsx";
import { CopyCode } from "../../frame/copy-code.tsx";

const AGAIN_MS = 5_000;

/** Sessions that live runs could not drop; nothing while there is none. */
export function LeftSessions(): ReactNode {
  const { value, retry } = useAnswer(liveLeftSessions);
  const sessions = value?.sessions ?? [];
  const count = sessions.length;
  useEffect(() => {
    if (count === 0) return undefined;
    const timer = setInterval(retry, AGAIN_MS);
    return () => clearInterval(timer);
  }, [count, retry]);
  if (count === 0) return null;
  return (
    <section aria-label="Event sessions left on servers">
      {sessions.map(({ server, session, problem, retryIn, isTriedAgain, sql }) => (
        <div key={`${server} ${session}`}>
          <Notice>
            A live run left the event session {session} on {server}. {problem}{" "}
            {isTriedAgain
              ? retryIn === null
                ? "It is being tried again now."
                : `It is tried again in ${retryIn} s, for as long as this server of AG Lens runs.`
              : "It is not tried again: run this there."}
          </Notice>
          <CopyCode code={sql} label={`DROP of ${session}`} />
        </div>
      ))}
    </section>
  );
}
