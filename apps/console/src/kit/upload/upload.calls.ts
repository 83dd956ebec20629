import { queryOptions } from '@tanstack/react-query';
import type { Upload } from 'tus-js-client';
import { call, remote } from '../session/call.ts';
import { endSession, freshen, headers, LoginError } from '../session/session.ts';

const rules = remote('getResourceFileUploadRules', 'GET /api/f/resource/resourceFile/upload');
/** Nouns whose files are uploaded. */
export type UploadNoun = 'resourceFile' | 'configFile' | 'firmware' | 'firmwareDelta';
const placeOf = (noun: UploadNoun): string => rules.path.replace('/resourceFile/', `/${noun}/`);

export const uploadRulesQuery = (noun: UploadNoun) =>
  queryOptions({
    queryKey: ['upload', noun, 'rules'],
    queryFn: ({ signal }) => call({ ...rules, path: placeOf(noun) } as typeof rules, {}, { signal }),
    staleTime: 600_000,
  });

/** A part of a file: each is a call of its own, so that a slow line never meets the longest time for a call. */
const partBytes = 8_388_608;
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

export interface UploadHooks {
  progress: (sent: number) => void;
  /** Its id is what a record takes. */
  done: (id: string) => void;
  failed: (text: string | undefined) => void;
}

/** What the server says of an upload that it refused, in the user's language. */
function said(error: unknown): string | undefined {
  const { originalResponse } = error as { originalResponse?: { getBody(): string; getStatus(): number } | null };
  if (originalResponse?.getStatus() === 401) endSession();
  try {
    return (JSON.parse(originalResponse?.getBody() ?? '') as { msg?: string }).msg;
  } catch {
    return undefined;
  }
}

/**
 * Begins to upload a file, or goes on where the same one was broken off, also when the page was loaded anew in between.
 */
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
    // The session is renewed while a long file goes.
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
