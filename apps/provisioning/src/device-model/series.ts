import { autoModel } from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const supplied = suppliedModels
  .map(
    ({ name, showName, internalName, series }) =>
      `(${[name, showName, internalName, series].map(literal).join(', ')}, null::jsonb)`,
  )
  .join(', ');

/**
 * SQL: each name that devices may report for a model of the company or a supplied one, in lower case and as the model
 * has it, with the model's series, its own name as `model`, and the keys of a model of the company. A name counts before
 * the shown and the internal name of other models, as in the device service.
 */
export const modelNamesSql = `
  (
    select distinct on (lower(n.name)) lower(n.name) as lowered, n.name, m.series, m.name as model, m.keys
    from (
      select c.name, c.show_name, c.internal_name, c.series, c.keys from model_copy c
      union all
      values ${supplied}
    ) m
    cross join lateral (values (m.name, 1), (m.show_name, 2), (m.internal_name, 3)) n(name, rank)
    where n.name <> '' and lower(n.name) <> ${literal(autoModel.toLowerCase())}
    order by lower(n.name), n.rank, m.name collate "und-x-icu"
  )
`;

/** SQL: whether the model of a device `d` demands a certificate, as the company's own models can (CFG-06). */
export const needsCertificateSql = `
  exists (
    select 1
    from model_copy m
    where m.mutual_auth and lower(d.model) in (lower(m.name), lower(m.show_name), lower(m.internal_name))
  )
`;

/** SQL: joins the model of a device `d`, null for an unknown one: `r.series`, `r.model` and `r.keys`. */
export const seriesJoinSql = `left join ${modelNamesSql} r on r.lowered = lower(d.model)`;
