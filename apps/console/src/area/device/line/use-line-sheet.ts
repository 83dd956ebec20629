import { useEffect, useMemo, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { linesPerDevice } from '@carillon/contracts/constants';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { call } from '../../../kit/api/call.ts';
import { gridOf, judge, reviewOf, saveBody, unknownTexts } from './line-sheet-judge.ts';
import {
  accountsOf,
  rowsById,
  saveLineSheet,
  type Found,
  type SheetResult,
  type SheetRow,
} from './line-sheet.calls.ts';
import { historyOf, step, type Grid } from './line-sheet.ts';
import { lineKeys } from './line.calls.ts';

/** Returns the accounts of the texts in the cells. Each change of the cells looks up the texts that are new. */
function useFound(rows: readonly SheetRow[], grid: Grid): { found: Found; refusal: Refusal | undefined } {
  const [found, setFound] = useState<Found>(new Map());
  const [refusal, setRefusal] = useState<Refusal>();
  useEffect(() => {
    const texts = unknownTexts(rows, grid, found);
    if (texts.length === 0) return undefined;
    const leave = new AbortController();
    accountsOf(texts, leave.signal).then(
      (more) => {
        setRefusal(undefined);
        setFound((before) => new Map([...before, ...more]));
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setRefusal(refusalOf(error));
      },
    );
    return () => leave.abort();
  }, [rows, grid, found]);
  return { found, refusal };
}

/** Returns the state of a sheet: its cells with their meaning, and the save. */
export function useLineSheet(first: readonly SheetRow[]) {
  const client = useQueryClient();
  const [rows, setRows] = useState(first);
  const [history, setHistory] = useState(() => historyOf(gridOf(first, linesPerDevice)));
  const [refused, setRefused] = useState<ReadonlyMap<string, SheetResult>>(new Map());
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Refusal>();
  const { found, refusal } = useFound(rows, history.now);
  const verdicts = useMemo(() => judge(rows, history.now, found), [rows, history.now, found]);
  const review = useMemo(() => reviewOf(verdicts), [verdicts]);

  /** Saves all changes. Saved devices and those with another state meanwhile are read again. */
  const save = async (): Promise<{ lines: number; devices: number; failed: number } | undefined> => {
    setSaving(true);
    setFailure(undefined);
    try {
      const { results } = await call(saveLineSheet, { body: saveBody(rows, verdicts) });
      const failed = results.filter((result) => result.error !== null);
      const done = results.filter((result) => result.changed > 0);
      const fresh = new Map((await rowsById(results.map((r) => r.deviceId))).map((row) => [row.id, row]));
      setRows(rows.map((row) => fresh.get(row.id) ?? row));
      setRefused(new Map(failed.map((result) => [result.deviceId, result])));
      for (const queryKey of lineKeys) await client.invalidateQueries({ queryKey });
      return {
        lines: done.reduce((sum, result) => sum + result.changed, 0),
        devices: done.length,
        failed: failed.length,
      };
    } catch (error) {
      setFailure(refusalOf(error));
      return undefined;
    } finally {
      setSaving(false);
    }
  };
  return {
    rows,
    history,
    setHistory,
    change: (grid: Grid) => setHistory((before) => step(before, grid)),
    verdicts,
    review,
    refused,
    saving,
    refusal: failure ?? refusal,
    save,
  };
}
