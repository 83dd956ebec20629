import { queryOptions } from '@tanstack/react-query';
import type { Upload } from 'tus-js-client';
import { call, remote } from '../api/call.ts';
import { endSession, freshen, headers, LoginError } from '../session/session.ts';

const rules = remote('getResourceFileUploadRules', 'GET /api/f/resource/resourceFile/upload');
/** Nouns with uploads. */
export type UploadNoun = 'resourceFile' | 'configFile' | 'firmware' | 'firmwareDelta';
const placeOf = (noun: UploadNoun): string => rules.path.replace('/resourceFile/', `/${noun}/`);

export const uploadRulesQuery = (noun: UploadNoun) =>
  queryOptions({
    queryKey: ['upload', noun, 'rules'],
    queryFn: ({ signal }) => call({ ...rules, path: placeOf(noun) } as typeof rules, {}, { signal }),
    staleTime: 600_000,
  });

/** Size of a part: each is a separate call, so that a slow connection does not exceed the longest time of a call. */
const partBytes = 8_388_608;
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

export interface UploadHooks {
  progress: (sent: number) => void;
  /** Called with the id, which a record takes. */
  done: (id: string) => void;
  failed: (text: string | undefined) => void;
}

/** Returns the server's reason for a refused upload, in the user's language. */
function said(error: unknown): string | undefined {
  const { originalResponse } = error as { originalResponse?: { getBody(): string; getStatus(): number } | null };
  if (originalResponse?.getStatus() === 401) endSession();
  try {
    return (JSON.parse(originalResponse?.getBody() ?? '') as { msg?: string }).msg;
  } catch {
    return undefined;
  }
}

/** Starts to upload a file, or resumes an interrupted upload of the same file, also after a reload. */
export async function startUpload(
  noun: UploadNoun,
  file: File,
  { progress, done, failed }: UploadHooks,
): Promise<Upload> {
  const { Upload } = await import('tus-js-client');
  const upload = new Upload(file, {
    endpoint: placeOf(noun),
    metadata: { filename: file.name },
    chunkSize: partBytes,
    retryDelays,
    // Renews the session during a long upload.
    onBeforeRequest: async (request) => {
      await freshen().catch((e: unknown) => {
        if (e instanceof LoginError && e.status < 500) endSession();
      });
      for (const [name, value] of Object.entries(await headers())) request.setHeader(name, value);
    },
    onProgress: (sent) => progress(sent),
    onSuccess: () => done(upload.url!.split('/').at(-1)!),
    onError: (error) => failed(said(error)),
  });
  const [before] = (await upload.findPreviousUploads()).toSorted((a, b) =>
    b.creationTime.localeCompare(a.creationTime),
  );
  if (before) upload.resumeFromPreviousUpload(before);
  upload.start();
  return upload;
}
