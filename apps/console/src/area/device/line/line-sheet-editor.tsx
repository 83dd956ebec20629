import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangleFilled, IconArrowBackUp, IconArrowForwardUp, IconArrowBarToDown } from '@tabler/icons-react';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { LineSheetGrid } from './line-sheet-grid.tsx';
import type { Review } from './line-sheet-judge.ts';
import type { SheetRow } from './line-sheet.calls.ts';
import { fillDown, redo, undo, type Range } from './line-sheet.ts';
import { useLineSheet } from './use-line-sheet.ts';
import css from './line-sheet.module.css';

const icon = { size: 16, stroke: 1.75 } as const;

/** The sheet with its tools, what a save would do, and the save. */
export function LineSheet({
  rows: first,
  onDirty,
  onClose,
  onCancel,
}: {
  rows: readonly SheetRow[];
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
  onCancel: () => void;
}) {
  const { t } = useText();
  const sheet = useLineSheet(first);
  const { history, review } = sheet;
  const [range, setRange] = useState<Range>({ from: { row: 0, column: 0 }, to: { row: 0, column: 0 } });
  const [leftOut, setLeftOut] = useState(0);
  const tools = useRef<HTMLDivElement>(null);
  useEffect(() => onDirty(review.lines > 0), [review.lines, onDirty]);
  const tool = (label: string, glyph: React.ReactNode, able: boolean, run: () => void) => (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} disabled={!able} onClick={run}>
      {glyph}
    </ActionIcon>
  );
  async function save() {
    const done = await sheet.save();
    if (done === undefined) return;
    if (done.lines > 0) showToast(t('lineSheet.saved', { count: done.devices, number: count(done.devices) }));
    if (done.failed === 0) onClose();
  }
  return (
    <>
      <div className={css.tools} ref={tools} role="toolbar" aria-label={t('lineSheet.tools')}>
        {tool(t('lineSheet.undo'), <IconArrowBackUp {...icon} />, history.past.length > 0, () =>
          sheet.setHistory(undo),
        )}
        {tool(t('lineSheet.redo'), <IconArrowForwardUp {...icon} />, history.future.length > 0, () =>
          sheet.setHistory(redo),
        )}
        <Button
          variant="default"
          leftSection={<IconArrowBarToDown {...icon} />}
          onClick={() => sheet.change(fillDown(history.now, range))}
        >
          {t('lineSheet.fillDown')}
        </Button>
        <p className={css.hint}>{t('lineSheet.hint')}</p>
      </div>
      <LineSheetGrid
        rows={sheet.rows}
        history={history}
        verdicts={sheet.verdicts}
        refused={sheet.refused}
        range={range}
        onRange={setRange}
        onHistory={sheet.setHistory}
        onChange={(grid, left = 0) => {
          setLeftOut(left);
          sheet.change(grid);
        }}
        onLeave={() => tools.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus()}
      />
      <footer className={css.foot}>
        <div className={css.review} aria-live="polite">
          <ReviewLine review={review} refused={sheet.refused.size} leftOut={leftOut} />
        </div>
        <RefusalBox refusal={sheet.refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button
            loading={sheet.saving}
            disabled={review.lines === 0 || review.wrong > 0 || review.waiting}
            onClick={() => void save()}
          >
            {t('common.save')}
          </Button>
        </div>
      </footer>
    </>
  );
}

/** Says what a save would change, and what needs attention first. */
function ReviewLine({ review, refused, leftOut }: { review: Review; refused: number; leftOut: number }) {
  const { t } = useText();
  const many = (key: 'wrong' | 'twice' | 'refused' | 'leftOut', n: number) =>
    t(`lineSheet.${key}Many`, { count: n, number: count(n) });
  return (
    <>
      <strong>
        {review.lines === 0
          ? t('lineSheet.unchanged')
          : t('lineSheet.review', {
              lines: t('lineSheet.lines', { count: review.lines, number: count(review.lines) }),
              devices: t('lineSheet.devices', { count: review.devices, number: count(review.devices) }),
            })}
      </strong>
      {review.wrong > 0 && <span data-tone="bad">{many('wrong', review.wrong)}</span>}
      {refused > 0 && <span data-tone="bad">{many('refused', refused)}</span>}
      {review.twice > 0 && (
        <span data-tone="warn">
          <IconAlertTriangleFilled size={14} aria-hidden />
          {many('twice', review.twice)}
        </span>
      )}
      {leftOut > 0 && <span data-tone="warn">{many('leftOut', leftOut)}</span>}
    </>
  );
}
