import { type ReactNode, useEffect } from "react";
import { forgetLeftSession, liveLeftSessions } from "../../data/live-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Notice } from "../../frame/notice.tsx";
import { CopyCode } from "../../frame/copy.tsx";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";

const AGAIN_MS = 5_000;

/** Sessions that live runs could not drop; shows nothing while there are no such sessions. */
export function LeftSessions(): ReactNode {
  const { value, retry } = useAnswer(liveLeftSessions);
  const forget = useCommand(async (id: string) => {
    await forgetLeftSession(id);
    retry();
  });
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
      {sessions.map(({ id, server, session, problem, retryIn, isTriedAgain, sql, mayForget }) => (
        <div key={id}>
          <Notice>
            A live run left the event session {session} on {server}. {problem}{" "}
            {isTriedAgain
              ? retryIn === null
                ? "It is being tried again now."
                : `It is tried again in ${retryIn} s, for as long as this server of AG Lens runs.`
              : "It is not tried again: run this there, or check the server under Attach live."}
          </Notice>
          <CopyCode code={sql} label={`DROP of ${session}`} />
          {isTriedAgain || !mayForget ? null : (
            <Button aria-label={`${session} is dropped`} onClick={() => forget.run(id)}>
              It is dropped
            </Button>
          )}
        </div>
      ))}
      <Problem sentence={forget.error} />
    </section>
  );
}
