/** A thread that recognises files, one after the other. */
import { starter, workInBackground } from "../threads/inside.ts";
import { columnBuffers } from "./decoded-files.ts";
import { receiveFile } from "./received-file.ts";
import type { RecogniserMessages } from "./recognisers.ts";

const { send, onMessages } = starter<RecogniserMessages>();
workInBackground();

// What is not the file's fault ends the thread, with its reason.
onMessages(
  (file) =>
    void receiveFile(file).then(({ received, columns }) =>
      file.storedAt === undefined || columns === null
        ? send({ received, columns: null })
        : send({ received, columns }, columnBuffers(columns)),
    ),
);
