/** A thread that recognises files, one after the other. */
import { starter } from "../threads/inside.ts";
import { recogniseFile } from "./recognise.ts";
import type { RecogniserMessages } from "./recognisers.ts";

const { send, onMessages } = starter<RecogniserMessages>();

// What is not the file's fault ends the thread, with its reason.
onMessages((file) => void recogniseFile(file).then((recognised) => send(recognised)));
