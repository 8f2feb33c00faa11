import { type ReactNode, useEffect } from "react";
import { forgetLeftSession, liveLeftSessions } from "../../data/live-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Notice } from "../../frame/notice.tsx";
import { CopyCode } from "../../frame/copy.tsx";
import { Problem } from "../../frame/problem.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
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
    <section aria-label={texts.eventSessionsLeft}>
      {sessions.map(({ id, server, session, problem, retryIn, isTriedAgain, sql, mayForget }) => (
        <div key={id}>
          <Notice>
            {texts.liveRunLeft(
              session,
              server,
              problem,
              isTriedAgain
                ? retryIn === null
                  ? texts.itIsBeingTried
                  : texts.itIsTriedAgain(retryIn)
                : texts.itIsNotTried,
            )}
          </Notice>
          <CopyCode code={sql} label={texts.dropOf(session)} />
          {isTriedAgain || !mayForget ? null : (
            <Button aria-label={texts.isDropped(session)} onClick={() => forget.run(id)}>
              {texts.itIsDropped}
            </Button>
          )}
        </div>
      ))}
      <Problem sentence={forget.error} />
    </section>
  );
}
