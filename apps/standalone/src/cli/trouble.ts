/** An error that the user can fix: printed as one sentence, with exit code 1. */
export class Trouble extends Error {}

const sentences: Record<string, (path: string) => string> = {
  ENOSPC: (path) => `The disk of ${path} is full.`,
  EDQUOT: (path) => `The disk quota of this user is used up at ${path}.`,
  EROFS: (path) => `${path} lies on a disk that is mounted read-only.`,
  EACCES: (path) => `This user may not use ${path}.`,
  EPERM: (path) => `This user may not use ${path}.`,
  EMFILE: () => 'This user may not open so many files; raise the limit (ulimit -n).',
};

/** Turns a system error into a sentence. Returns other errors unchanged. */
export function asTrouble(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const sentence = error instanceof Error && code !== undefined ? sentences[code] : undefined;
  return sentence ? new Trouble(sentence(path ?? 'this machine')) : error;
}
