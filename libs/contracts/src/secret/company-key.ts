import { z } from 'zod';
import { route } from '../define/route.ts';

/**
 * Progress of a key change: secrets are re-encrypted one after the other (`process`), then the old key is kept for a
 * short time (`waiting`) and destroyed (`done`). If some secrets could not be decrypted, the old key is kept
 * (`partly`).
 */
export const companyKeyStatuses = ['process', 'waiting', 'done', 'partly'] as const;

const number = z.number().int();
export const companyKeyRecord = z
  .object({
    /** When the current key was created; null: nothing has been encrypted yet. */
    madeAt: z.string().nullable(),
    /** The last or the running change of the key. */
    renewal: z
      .object({
        status: z.enum(companyKeyStatuses),
        startedAt: z.string(),
        endedAt: z.string().nullable(),
        /** Secrets that are encrypted with the new key, and their total. */
        done: number,
        total: number,
        /** Secrets that could not be decrypted with the old key. */
        failed: number,
      })
      .nullable(),
  })
  .meta({ id: 'CompanyKey' });

/** Declares the calls that change the company key of a service; `name` is the prefix of their audit words. */
export function companyKeyRoutes<const Name extends string, const Service extends string>({
  name,
  service,
  title,
}: {
  name: Name;
  service: Service;
  /** What the key encrypts. */
  title: string;
}) {
  return {
    get: route({
      method: 'GET',
      path: `/api/f/${service}/companyKey`,
      summary: `When the key of ${title} was made, and how far a new one is`,
      permission: 'companyKey',
      audit: 'none',
      response: companyKeyRecord,
      errors: [],
    }),
    /** Starts a key change in the background. A running one is not started again. */
    renew: route({
      method: 'POST',
      path: `/api/f/${service}/companyKey/renew`,
      summary: `Make a new key for ${title}, encrypt all of them with it and destroy the old one`,
      permission: 'renewCompanyKey',
      audit: `${name}.renew`,
      status: 202,
      response: companyKeyRecord,
      errors: ['companyKey.narrowed', 'companyKey.none'],
    }),
  };
}
export type CompanyKeyRoutes = ReturnType<typeof companyKeyRoutes<string, string>>;
