import { Injectable } from '@nestjs/common';
import { configFileState } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { ConfigFile } from './config-file.entity.ts';

const published = columns(ConfigFile, 'c', ['id', 'companyId', 'name', 'fileVersion', 'models', 'files', 'revision']);

/** Publishes configuration files, without their content. */
@Injectable()
export class ConfigFilePublisher {
  async changed(ids: readonly string[]): Promise<void> {
    const rows = await currentSql().rows(published, `select ${published} from config_file c where c.id = any ($1)`, [
      [...ids],
    ]);
    await emitMany(
      configFileState,
      'configFile',
      rows.map(({ companyId, revision, fileVersion, files: [file], ...row }) => ({
        key: row.id,
        companyId,
        version: revision,
        data: {
          ...row,
          version: fileVersion,
          fileId: file!.id,
          fileName: file!.name,
          size: file!.size,
          sha256: file!.sha256,
        },
      })),
    );
  }

  async gone({ id, companyId, revision }: Pick<ConfigFile, 'id' | 'companyId' | 'revision'>): Promise<void> {
    await emitMany(configFileState, 'configFile', [{ key: id, data: null, version: revision + 1, companyId }]);
  }
}
