import { autoModel } from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const supplied = suppliedModels
  .map((model) => `(${[model.name, model.showName, model.internalName, model.series].map(literal).join(', ')})`)
  .join(', ');

/**
 * SQL: each name that devices may report for a model of the company or a supplied one, in lower case and as the model
 * has it, with the model's series. A name counts before the shown and the internal name of other models, as in the
 * device service.
 */
export const modelNamesSql = `
  (
    select distinct on (lower(n.name)) lower(n.name) as lowered, n.name, m.series
    from (
      select c.name, c.show_name, c.internal_name, c.series from model_copy c
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

/** SQL: joins the series of the model of a device `d`, null for an unknown model, as `r.series`. */
export const seriesJoinSql = `left join ${modelNamesSql} r on r.lowered = lower(d.model)`;
