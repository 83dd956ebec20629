import {
  phoneKeyLayout,
  sharedKeyLayout,
  type getKeyLayout,
  type PhoneKeyFacts,
  type PhoneKeyLayout,
  type RouteInput,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { columns, computed, currentSql } from '@carillon/persistence';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { ModelCopy } from './model.projection.ts';
import { modelNamesSql, seriesJoinSql } from './series.ts';

/** The model of a device: the keys of a model of the company, or the name of a supplied one. */
export interface ModelKeys {
  keys: PhoneKeyFacts | null;
  /** Null for an unknown model. */
  known: string | null;
}

const layouts = new Map(suppliedModels.map((model) => [model.name, phoneKeyLayout(model)]));
const generalLayout = phoneKeyLayout(null);

/** Returns the keys that the phones of a model have; the general ones for an unknown model. */
export const layoutOf = ({ keys, known }: ModelKeys): PhoneKeyLayout =>
  keys === null ? (layouts.get(known ?? '') ?? generalLayout) : phoneKeyLayout(keys);

const named = columns(ModelCopy, 'm', [], {
  keys: computed<PhoneKeyFacts | null>('r.keys'),
  known: computed<string | null>('r.model'),
});
const ofDevice = columns(DeviceCopy, 'd', [], {
  keys: computed<PhoneKeyFacts | null>('r.keys'),
  known: computed<string | null>('r.model'),
});

/** Returns the keys that the phones of a template have; the general ones where it is for several models. */
export async function layoutOfTarget({
  level,
  target,
}: RouteInput<typeof getKeyLayout>['query']): Promise<PhoneKeyLayout> {
  switch (level) {
    case 'model':
    case 'series': {
      const condition = level === 'model' ? 'r.lowered = lower($1)' : 'r.series = $1';
      const rows = await currentSql().rows(named, `select ${named} from ${modelNamesSql} r where ${condition}`, [
        target,
      ]);
      return sharedKeyLayout(rows.map((row) => layoutOf(row)));
    }
    case 'device': {
      const [row] = await currentSql().rows(
        ofDevice,
        `select ${ofDevice} from device_copy d ${seriesJoinSql} where d.id = $1`,
        [target],
      );
      return row ? layoutOf(row) : generalLayout;
    }
    default:
      return generalLayout;
  }
}
