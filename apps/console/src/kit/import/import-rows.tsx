import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { importClearMark } from '@carillon/contracts/constants';
import { FieldError } from '../part/field-error.tsx';
import { refusalOf } from '../part/refusal.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import {
  importRowsQuery,
  mendRow,
  outcomes,
  type Field,
  type Import,
  type ImportPlace,
  type ImportRow,
  type Outcome,
} from './import.calls.ts';
import css from './import.module.css';

const limit = 50;

/** Shows the outcome of each row. Wrong rows are corrected in place. */
export function ImportRows({ place, of }: { place: ImportPlace; of: Import }) {
  const { t } = useText();
  const { id, status, counts } = of;
  const [outcome, setOutcome] = useState<Outcome | undefined>(counts.wrong > 0 ? 'wrong' : undefined);
  const [page, setPage] = useState(1);
  const kept = status === 'undone';
  const query = useQuery(
    importRowsQuery(place, id, {
      page,
      limit,
      ...(kept ? { state: 'kept' as const } : outcome === undefined ? {} : { outcome }),
    }),
  );
  const { records = [], total = 0 } = query.data ?? {};
  const used = new Set(records.flatMap((row) => [...Object.keys(row.cells), ...row.errors.map((e) => e.field)]));
  const fields = of.fields.filter((field) => used.has(field.key));
  const choose = (next: Outcome | undefined) => {
    setOutcome(next);
    setPage(1);
  };
  if (kept && counts.kept === 0) return null;
  return (
    <>
      {!kept && (
        <div className={css.outcomes}>
          <button type="button" aria-pressed={outcome === undefined} onClick={() => choose(undefined)}>
            {t('import.outcome.all')} <b>{count(counts.total)}</b>
          </button>
          {outcomes.map((one) => (
            <button key={one} type="button" aria-pressed={outcome === one} onClick={() => choose(one)}>
              {t(`import.outcome.${one}`)} <b>{count(counts[one])}</b>
            </button>
          ))}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls is reached by the keyboard. */}
      <div className={css.table} tabIndex={0} role="region" aria-label={of.name}>
        <table>
          <thead>
            <tr>
              <th>{t('import.row')}</th>
              <th>{t('import.result')}</th>
              {fields.map((field) => (
                <th key={field.key}>{field.title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((row) => (
              <Row
                key={`${row.number} ${row.outcome ?? ''}`}
                row={row}
                fields={fields}
                mend={status === 'checked' && row.outcome === 'wrong' ? { place, id } : undefined}
              />
            ))}
            {records.length === 0 && query.isSuccess && (
              <tr>
                <td colSpan={fields.length + 2}>{t('import.none')}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {total > limit && (
        <div className={css.pager}>
          <span>
            {t('import.page', {
              from: count((page - 1) * limit + 1),
              to: count(Math.min(total, page * limit)),
              total: count(total),
            })}
          </span>
          <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('import.previous')}
          </Button>
          <Button size="xs" variant="default" disabled={page * limit >= total} onClick={() => setPage(page + 1)}>
            {t('import.next')}
          </Button>
        </div>
      )}
    </>
  );
}

function Row({
  row,
  fields,
  mend,
}: {
  row: ImportRow;
  fields: readonly Field[];
  mend: { place: ImportPlace; id: string } | undefined;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [cells, setCells] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<string>();
  const titles = new Map(fields.map((field) => [field.key, field.title]));
  const shownCell = (text: string | undefined, clears: boolean) =>
    clears && text === importClearMark ? t('import.cleared') : text;
  const save = () => {
    if (mend === undefined || Object.keys(cells).length === 0) return;
    void mendRow(mend.place, mend.id, row.number, { ...cells })
      .then(() => client.invalidateQueries({ queryKey: ['operation', 'import', mend.place, mend.id] }))
      .catch((e: unknown) => setFault(refusalOf(e).text));
  };
  return (
    <tr>
      <td>{row.number}</td>
      <td>
        {row.errors.length > 0 ? (
          <ul>
            {row.errors.map(({ field, error, msg }) => (
              <li key={`${field} ${error}`}>
                <FieldError text={field !== null && titles.has(field) ? `${titles.get(field)}: ${msg}` : msg} />
              </li>
            ))}
          </ul>
        ) : (
          row.outcome !== null && t(`import.outcome.${row.outcome}`)
        )}
        {fault !== undefined && <FieldError text={fault} />}
        {Object.keys(cells).length > 0 && (
          <Button size="xs" onClick={save}>
            {t('common.save')}
          </Button>
        )}
      </td>
      {fields.map(({ key, title, secret, clears }) => (
        <td key={key} data-changes={row.changes.includes(key)}>
          {mend ? (
            <TextInput
              size="xs"
              type={secret ? 'password' : 'text'}
              aria-label={t('import.cellOf', { field: title, row: row.number })}
              aria-invalid={row.errors.some((e) => e.field === key)}
              maxLength={512}
              autoComplete="off"
              value={cells[key] ?? (secret ? '' : (row.cells[key] ?? ''))}
              placeholder={secret ? row.cells[key] : undefined}
              onChange={(e) => setCells({ ...cells, [key]: e.currentTarget.value })}
              onKeyDown={(e) => {
                if (e.key === 'Enter') save();
              }}
            />
          ) : (
            shownCell(row.cells[key], clears)
          )}
        </td>
      ))}
    </tr>
  );
}
