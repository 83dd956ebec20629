import { z } from 'zod';
import type { PermissionKey } from '../permissions.ts';
import { firmwareMaximum } from './constant.ts';
import { id } from './list.ts';
import { route } from './route.ts';

/** What may be uploaded, as the operator of the installation has configured it. */
export const uploadRules = z
  .object({
    /** With the dot, in lower case. */
    extensions: z.array(z.string()),
    /** Largest file in bytes. */
    maximum: z.number().int(),
  })
  .meta({ id: 'UploadRules' });
export type UploadRules = z.output<typeof uploadRules>;

const params = z.object({ id });

/**
 * Declares the calls that upload files of a noun in parts, by the protocol tus 1.0.0 with the extensions creation,
 * termination and expiration: any tus client works. `Upload-Metadata` names the file (`filename`). An upload belongs to
 * the caller until a record of the noun takes it, and expires otherwise. All nouns have the same calls.
 */
export function uploadRoutes<
  const Name extends string,
  const Place extends string,
  const Permission extends PermissionKey,
>({
  name,
  place,
  permission,
  title,
}: {
  name: Name;
  /** `service/noun/upload`. */
  place: Place;
  permission: Permission;
  title: string;
}) {
  const base = { permission, errors: [] as const };
  return {
    rules: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}`,
      summary: `Which files ${title} may be, and how large`,
      audit: 'none',
      response: uploadRules,
    }),
    add: route({
      ...base,
      method: 'POST',
      path: `/api/f/${place}`,
      summary:
        `Begin to upload a file for ${title} (tus 1.0.0): \`Upload-Length\` and \`Upload-Metadata\` with \`filename\`; ` +
        '`Location` of the answer is where its parts go',
      audit: `${name}.upload`,
      status: 201,
      ownTransaction: true,
      response: z.object({ id }),
      errors: [
        'upload.headers',
        'upload.nameWrong',
        'upload.empty',
        'upload.tooMany',
        'upload.quotaFull',
        'file.typeWrong',
        'file.tooLarge',
      ],
    }),
    offset: route({
      ...base,
      method: 'HEAD',
      path: `/api/f/${place}/{id}`,
      summary: `How much of an upload for ${title} has come: \`Upload-Offset\` of \`Upload-Length\``,
      audit: 'none',
      ownTransaction: true,
      params,
      response: z.null(),
    }),
    part: route({
      ...base,
      method: 'PATCH',
      path: `/api/f/${place}/{id}`,
      summary:
        `The next part of an upload for ${title}, from \`Upload-Offset\`. With the last one the file is checked; ` +
        'a file that is refused is gone',
      audit: `${name}.upload`,
      status: 204,
      ownTransaction: true,
      bytes: true,
      bodyLimit: firmwareMaximum,
      params,
      response: z.null(),
      errors: [
        'upload.headers',
        'upload.offset',
        'upload.busy',
        'upload.contentWrong',
        'upload.bomb',
        'upload.noSpace',
        'file.tooLarge',
        'common.mediaType',
      ],
    }),
    remove: route({
      ...base,
      method: 'DELETE',
      path: `/api/f/${place}/{id}`,
      summary: `Give up an upload for ${title}`,
      audit: `${name}.uploadEnd`,
      status: 204,
      ownTransaction: true,
      params,
      response: z.null(),
      errors: ['upload.headers', 'upload.busy'],
    }),
  };
}
export type UploadRoutes = ReturnType<typeof uploadRoutes<string, string, PermissionKey>>;
