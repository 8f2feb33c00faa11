import { type ReactNode, useState } from "react";
import type { Capture, CaptureFile } from "@aglens/contract";
import { navigate } from "../../state/navigate.ts";
import { correctFile, startAnalysis, uploadFile } from "../../data/captures-client.ts";
import { type Command, useCommand } from "../../data/use-command.ts";
import { WarningIcon } from "../../frame/icons.tsx";
import { Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { Button } from "../../ui/controls.tsx";
import { formatPercent } from "../../ui/words.ts";
import { CaptureTitle } from "./capture-title.tsx";
import { damagedFiles, damageReport, damageTitle, readText } from "./damage.ts";
import { DamagedFile } from "./damaged-file.tsx";
import { ReplaceButton } from "./sending/replace-button.tsx";
import { StatePage } from "./state-page.tsx";
import styles from "./damage-screen.module.css";

interface Props {
  readonly capture: Capture;
  readonly onOpen: () => void;
  /** A file was replaced or excluded, and the analysis runs again. */
  readonly onChanged: () => void;
}

/**
 * Files with gaps: where the gaps are, what was lost, and the choice to continue with these files, without them or with
 * better copies.
 */
export function DamageScreen({ capture, onOpen, onChanged }: Props): ReactNode {
  const [notice, copy] = useCopy();
  const damaged = damagedFiles(capture);
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  const repair = useRepair(capture, onChanged);
  return (
    <Page
      title={capture.name}
      what={<CaptureTitle capture={capture} />}
      actions={<Button onClick={() => navigate("/")}>{texts.allCaptures}</Button>}
      notice={notice}
    >
      <StatePage
        sign={<WarningIcon size={24} />}
        title={damageTitle(damaged.length, files.length)}
        lead={damaged.map((file) => readText(capture, file)).join(" ")}
      >
        {damaged.map((file) => (
          <DamagedFile key={file.id} capture={capture} file={file}>
            {damaged.length === 1 ? null : (
              <ReplaceButton
                file={file}
                disabled={repair.isRunning}
                onFile={(better) => repair.replace(file, better)}
              />
            )}
          </DamagedFile>
        ))}
        <Problem sentence={repair.error} />
        <output className="quiet">{repair.progress}</output>
        <div className={styles.choices}>
          <Choices {...{ damaged, repair, onOpen }} isAll={damaged.length === files.length} />
          <Button
            kind="quiet"
            size="large"
            className={styles.report}
            onClick={() => copy(damageReport(capture, damaged), texts.reportCopied)}
          >
            {texts.copyReport}
          </Button>
        </div>
        <p className="quiet">{texts.gapStaysHatched}</p>
      </StatePage>
    </Page>
  );
}

interface Repair extends Pick<Command<[]>, "isRunning" | "error"> {
  /** How far a better copy has been sent; empty when no copy is being sent. */
  readonly progress: string;
  readonly replace: (old: CaptureFile, better: File) => void;
  readonly leaveOut: () => void;
}

/** Actions that repair damage; the analysis then runs again. */
function useRepair(capture: Capture, onChanged: () => void): Repair {
  const [sent, setSent] = useState<{ readonly file: File; readonly bytes: number } | null>(null);
  const { run, isRunning, error } = useCommand(async (work: () => Promise<unknown>) => {
    try {
      await work();
      await startAnalysis(capture.id);
      onChanged();
    } finally {
      setSent(null);
    }
  });
  const replace = (old: CaptureFile, file: File): void =>
    run(() => {
      const onBytes = (bytes: number): void => setSent({ file, bytes });
      onBytes(0);
      const better = { file, path: file.name };
      return uploadFile(capture.id, better, onBytes, new AbortController().signal, old.id);
    });
  const leaveOut = (): void =>
    run(() =>
      Promise.all(damagedFiles(capture).map(({ id }) => correctFile(capture.id, id, { role: "ignored" }))),
    );
  return { replace, leaveOut, isRunning, error, progress: sent === null ? "" : sendingText(sent) };
}

function sendingText({ file, bytes }: { readonly file: File; readonly bytes: number }): string {
  const share = file.size === 0 ? 1 : bytes / file.size;
  return share < 1 ? texts.sending(file.name, formatPercent(share)) : texts.reading(file.name);
}

interface ChoicesProps {
  readonly damaged: readonly CaptureFile[];
  readonly repair: Repair;
  readonly onOpen: () => void;
  /** Every file is damaged. */
  readonly isAll: boolean;
}

function Choices({ damaged, repair, onOpen, isAll }: ChoicesProps): ReactNode {
  const [only, ...others] = damaged;
  const isOneGap = others.length === 0 && only?.gaps.length === 1;
  return (
    <>
      <Button kind="primary" size="large" onClick={onOpen}>
        {texts.openTheCapture(isOneGap)}
      </Button>
      {only !== undefined && others.length === 0 ? (
        <ReplaceButton
          file={only}
          size="large"
          disabled={repair.isRunning}
          onFile={(better) => repair.replace(only, better)}
        />
      ) : null}
      {isAll ? null : (
        <Button size="large" disabled={repair.isRunning} onClick={repair.leaveOut}>
          {texts.leaveOutFiles(others.length)}
        </Button>
      )}
    </>
  );
}
