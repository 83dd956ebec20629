/** Something that the person at the terminal can mend: told as one sentence, exit code 1. */
export class Trouble extends Error {}
