import { columns, currentSql } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { StoredFile } from '../store/stored-file.entity.ts';
import { Upload } from './upload.entity.ts';

/** A file as a record keeps it: its name and its bytes, which may be shared. */
export interface KeptFile {
  id: string;
  name: string;
  size: number;
  sha256: string;
}

const upload = columns(Upload, 'u', ['id', 'name', 'storedId']);
const stored = columns(StoredFile, 's', ['id', 'size', 'sha256']);

/**
 * Stores complete bytes, by the driver's key, for the company. Returns their id: that of equal existing bytes, if any,
 * whose row is locked so that they are not deleted meanwhile.
 */
export async function storeBytes(key: string, { size, sha256 }: Pick<KeptFile, 'size' | 'sha256'>): Promise<string> {
  const [row] = await currentSql().rows(
    stored,
    `
      insert into stored_file as s (id, company_id, sha256, size, used_at)
      values ($1, $2, $3, $4, now())
      on conflict (company_id, sha256) do update set used_at = now()
      returning ${stored}
    `,
    [key, context().companyId, sha256, size],
  );
  return row!.id;
}

/** Assigns the caller's own complete uploads to a record, in the given order. */
export async function takeUploads(noun: string, ids: readonly string[]): Promise<KeptFile[]> {
  const taken = await currentSql().rows(
    upload,
    `
      delete from upload u
      where u.id = any ($1) and u.noun = $2 and u.user_id = $3 and u.stored_id is not null and u.expires_at > now()
      returning ${upload}
    `,
    [[...ids], noun, context().userId],
  );
  if (taken.length < ids.length) fail('upload.incomplete');
  const bytes = await currentSql().rows(
    stored,
    `update stored_file s set used_at = now() where s.id = any ($1) returning ${stored}`,
    [taken.map(({ storedId }) => storedId)],
  );
  return ids.map((id) => {
    const { name, storedId } = taken.find((one) => one.id === id)!;
    return { ...bytes.find((one) => one.id === storedId)!, name };
  });
}
