import { z } from 'zod';
import { route } from '../define/route.ts';

/**
 * How far a new key is: secrets are encrypted with it one after the other (`process`), then nothing needs the old one
 * any more, which is kept for a moment (`waiting`) and destroyed (`done`). Where something could not be read with the
 * old one, that is kept (`partly`).
 */
export const companyKeyStatuses = ['process', 'waiting', 'done', 'partly'] as const;

const number = z.number().int();
export const companyKeyRecord = z
  .object({
    /** Of the one that encrypts now; null: nothing had to be encrypted yet. */
    madeAt: z.string().nullable(),
    /** The last change of it, or the one that goes on. */
    renewal: z
      .object({
        status: z.enum(companyKeyStatuses),
        startedAt: z.string(),
        endedAt: z.string().nullable(),
        /** Secrets that are encrypted with the new key, of how many. */
        done: number,
        total: number,
        /** Those that could not be read with the old one. */
        failed: number,
      })
      .nullable(),
  })
  .meta({ id: 'CompanyKey' });

/** The calls by which a company changes the key of what a service keeps; `name` is that of its audit words. */
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
    /** Goes on behind. One that goes on already is not begun again. */
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
