import { useState, type ReactNode, type SubmitEvent } from 'react';
import { FieldError } from './field-error.tsx';
import { faultsOf, refusalOf, type Refusal } from './refusal.ts';

type Faults<V> = Partial<Record<keyof V & string, string>>;

/** The values of a form, their errors, and the server's error. */
export type Form<V extends object> = ReturnType<typeof useForm<V>>;

/**
 * Returns the values of a form, their errors, and the server's error. A form that `follows` shows the current `initial`
 * except for unsaved changes: it stays open beside other forms that save parts of the same object.
 */
export function useForm<V extends object>(initial: V, { follows = false } = {}) {
  const [first] = useState(initial);
  const [changed, setChanged] = useState<Partial<V>>({});
  const stored = follows ? initial : first;
  const values = { ...stored, ...changed };
  const [faults, setFaults] = useState<Faults<V>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<V>) => {
    setChanged((all) => ({ ...all, ...change }));
    setFaults((all) => Object.fromEntries(Object.entries(all).filter(([field]) => !(field in change))) as Faults<V>);
  };
  /** Sends nothing while `check` finds errors; the server's field errors are shown at the fields. */
  const submit = (check: () => Faults<V>, work: () => Promise<void>) => (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const show = (found: Faults<V>) => {
      setFaults(found);
      const first = Object.keys(found)[0];
      const named = first === undefined ? null : form.querySelector<HTMLInputElement>(`[name="${first}"]`);
      // A select keeps its value in a hidden input behind the visible one.
      const seen = named?.type === 'hidden' ? named.previousElementSibling?.querySelector('input') : named;
      seen?.focus();
      return first !== undefined;
    };
    setRefusal(undefined);
    if (show(check())) return;
    setBusy(true);
    // Input typed while saving is not saved yet.
    const saved = () =>
      setChanged(
        (all) =>
          Object.fromEntries(
            Object.entries(all).filter(([field, value]) => value !== changed[field as keyof V]),
          ) as Partial<V>,
      );
    void work()
      .then(() => {
        if (follows) saved();
      })
      .catch((e: unknown) => {
        if (!show(faultsOf(e, Object.keys(initial) as (keyof V & string)[]) as Faults<V>)) setRefusal(refusalOf(e));
      })
      .finally(() => setBusy(false));
  };
  const fault = (field: keyof V & string): ReactNode =>
    faults[field] !== undefined && <FieldError text={faults[field]} />;
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);
  return { values, set, fault, refusal, busy, submit, dirty };
}
