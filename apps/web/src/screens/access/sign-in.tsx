import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { AccessState } from "@aglens/contract";
import { withoutBasePath } from "../../base-path.ts";
import { directoryAddress, signInByToken } from "../../data/access-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { accessTexts as texts } from "../../messages/access.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import styles from "./sign-in.module.css";

interface Props {
  readonly state: AccessState;
  /** Called with the server's answer once the user is signed in. */
  readonly onSignedIn: (state: AccessState) => void;
  /** Where the directory's page opens: in a new tab this page keeps everything that was typed in it. */
  readonly opens?: "here" | "newTab";
}

/** The configured sign-in methods: the directory first, then a token. */
export function SignInWays({ state, onSignedIn, opens = "here" }: Props): ReactNode {
  const { directory, token, proxy } = state.ways;
  return (
    <>
      {directory === null ? null : <DirectoryButton name={directory} failure={state.failure} opens={opens} />}
      {directory !== null && token ? <p className={styles.or}>{texts.orWithAnAccess}</p> : null}
      {token ? <TokenForm focused={directory === null} onSignedIn={onSignedIn} /> : null}
      {proxy && directory === null && !token ? <p className={styles.note}>{texts.proxySignsPeople}</p> : null}
    </>
  );
}

/** The address that is open is the one that opens again after signing in. */
function DirectoryButton({
  name,
  failure,
  opens,
}: {
  readonly name: string;
  readonly failure: string | null;
  readonly opens: "here" | "newTab";
}): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const go = (): void => {
    if (opens === "newTab") window.open(directoryAddress("/"), "_blank", "noopener");
    else
      window.location.assign(
        directoryAddress(withoutBasePath(`${window.location.pathname}${window.location.search}`)),
      );
  };
  return (
    <>
      <button ref={button} type="button" className={`button primary large ${styles.directory}`} onClick={go}>
        {texts.continueWith(name)} <Kbd>Enter</Kbd>
      </button>
      {failure === null ? null : (
        <p className={styles.problem} role="alert">
          {failure}
        </p>
      )}
      <p className={styles.note}>{texts.openIDConnectAgLens}</p>
    </>
  );
}

function TokenForm({
  focused,
  onSignedIn,
}: {
  readonly focused: boolean;
  readonly onSignedIn: (state: AccessState) => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState("");
  const signIn = useCommand(async () => onSignedIn(await signInByToken(token)));
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== "" && !signIn.isRunning) signIn.run();
  };
  return (
    <form onSubmit={submit}>
      <label className={styles.label} htmlFor="access-token">
        {texts.accessToken}
      </label>
      <div className={styles.row}>
        <input
          id="access-token"
          ref={field}
          className={`mono ${styles.token}`}
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          value={token}
          aria-invalid={signIn.error !== null}
          aria-describedby="access-token-problem"
          onChange={(event) => setToken(event.target.value)}
        />
        <Button type="submit" size="large" disabled={signIn.isRunning}>
          {texts.signIn}
        </Button>
      </div>
      <p id="access-token-problem" className={styles.problem} role="alert">
        {signIn.error === null ? null : (
          <>
            <b>{texts.tokenWasNotTaken}</b> {signIn.error}
          </>
        )}
      </p>
    </form>
  );
}
