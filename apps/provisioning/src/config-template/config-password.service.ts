import { Injectable } from '@nestjs/common';
import { passwordKeys, type PasswordKey, type SettingValues } from '@carillon/contracts';
import { columns, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { CompanySecrets, failAt } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { Passwords } from '../device-config/desired.ts';
import { ConfigPassword } from './config-password.entity.ts';

const placeOf = (id: string): string => `config_password.sealed ${id}`;
const kept = columns(ConfigPassword, 'p', ['id', 'sealed']);

/** Seals the passwords of templates, and opens them for the configurations of devices. */
@Injectable()
export class ConfigPasswords {
  constructor(private readonly secrets: CompanySecrets) {}

  /**
   * Seals new passwords and returns the values with their ids. Fails when the values name another password that the
   * company does not have, or when a visitor sends a new one.
   */
  async keep(values: SettingValues, passwords: Passwords = {}): Promise<SettingValues> {
    const ids: Partial<Record<PasswordKey, string>> = {};
    for (const key of passwordKeys) {
      const text = passwords[key];
      if (text !== undefined) ids[key] = await this.seal(key, text);
      else if (values[key] !== undefined) await refuseUnknown(key, String(values[key]));
    }
    return { ...values, ...ids };
  }

  /** Returns a function that opens the passwords of values, each only once. */
  opener(): (values: SettingValues) => Promise<Passwords> {
    const opened = new Map<string, Promise<string>>();
    return async (values) => {
      const texts: Partial<Record<PasswordKey, string>> = {};
      for (const key of passwordKeys) {
        if (values[key] === undefined) continue;
        const id = String(values[key]);
        const text = opened.get(id) ?? this.open(id);
        opened.set(id, text);
        texts[key] = await text;
      }
      return texts;
    };
  }

  private async seal(key: PasswordKey, text: string): Promise<string> {
    if (context().visit) failAt(`passwords.${key}`, 'configTemplate.passwordVisit');
    const id = uuidv7();
    const sealed = await this.secrets.seal(placeOf(id), text);
    await currentEntities().insert(ConfigPassword, { id, companyId: context().companyId, sealed, usedAt: now() });
    return id;
  }

  private async open(id: string): Promise<string> {
    const [row] = await currentSql().rows(kept, `select ${kept} from config_password p where p.id = $1`, [id]);
    if (!row) throw new Error('a template names a password that does not exist');
    return this.secrets.open(placeOf(id), row.sealed);
  }
}

const now = (): string => new Date().toISOString();

/**
 * Fails at the value when the running company has no such password. The retention counts the age of a password from
 * here, so that it does not delete one whose template is about to be stored.
 */
async function refuseUnknown(key: PasswordKey, id: string): Promise<void> {
  const { rowCount } = await currentSql().query('update config_password p set used_at = now() where p.id = $1', [id]);
  if (rowCount === 0) failAt(`values.${key}`, 'configTemplate.passwordGone');
}
