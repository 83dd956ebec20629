/** k6's summary of one run, with its plan. */
export interface Summary {
  plan: string;
  /** ISO time of the end of the run. */
  at: string;
  minute: number;
  share: number;
  devices: number;
  state: { testRunDurationMs: number };
  metrics: Record<
    string,
    { type: string; contains: string; values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }
  >;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const show = (value: number | undefined): string =>
  value === undefined
    ? ''
    : Math.abs(value) >= 100
      ? value.toFixed(0)
      : Math.abs(value) >= 1
        ? value.toFixed(1)
        : value.toFixed(3);
/** The metrics to compare, and whether a higher value is worse. */
const rows: readonly [string, string, string, boolean][] = [
  ['http_reqs', 'rate', 'requests a second', false],
  ['http_req_failed', 'rate', 'share of requests that failed', true],
  ['http_req_duration{scenario:people}', 'med', 'page, median ms', true],
  ['http_req_duration{scenario:people}', 'p(95)', 'page, p95 ms', true],
  ['command_duration', 'med', 'click to done, median ms', true],
  ['command_duration', 'p(95)', 'click to done, p95 ms', true],
  ['commands_lost', 'count', 'clicks without an end', true],
  ['mqtt_connect_duration', 'p(95)', 'MQTT connect, p95 ms', true],
  ['mqtt_publish_duration', 'med', 'publish to PUBACK, median ms', true],
  ['mqtt_publish_duration', 'p(95)', 'publish to PUBACK, p95 ms', true],
  ['mqtt_messages_sent', 'rate', 'messages from devices a second', false],
  ['mqtt_errors', 'count', 'MQTT errors', true],
  ['checks', 'rate', 'share of checks that held', false],
  ['dropped_iterations', 'count', 'iterations k6 could not begin', true],
];

/**
 * Returns a self-contained page: for each plan its runs beside each other, the newest last, with the change against the
 * run before.
 */
export function resultPage(all: readonly Summary[]): string {
  const sections = [...Map.groupBy(all, (s) => s.plan)].map(([plan, runs]) => section(plan, runs.slice(-8))).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Load tests</title><style>
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 80rem }
table { border-collapse: collapse }
caption { text-align: left; font-size: 1.25rem; font-weight: 600; padding: 1rem 0 .5rem }
th, td { padding: .25rem .75rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent) }
th:first-child { text-align: left; font-weight: 400 }
thead th { font-weight: 600; vertical-align: bottom }
small { opacity: .7; display: block }
.missed { color: light-dark(#b3261e, #f2b8b5); font-weight: 600 }
.scroll { overflow-x: auto }
</style></head><body><h1>Load tests</h1><p>Each column is a run, the newest on the right. Bold red: a threshold was missed. Below a value: its change against the run before, where both had the same load.</p>
${sections}
</body></html>
`;
}

function section(plan: string, runs: readonly Summary[]): string {
  const heads = runs
    .map(
      (r) =>
        `<th scope="col">${escape(r.at.slice(0, 16).replace('T', ' '))}<small>${r.devices} devices, ${(r.state.testRunDurationMs / 1000).toFixed(0)} s${r.share === 1 ? '' : `, load × ${r.share}`}</small></th>`,
    )
    .join('');
  const body = rows.map(([metric, value, text, moreIsWorse]) => {
    const cells = runs.map((run, i) => {
      const found = run.metrics[metric];
      const missed = Object.entries(found?.thresholds ?? {}).some(([limit, { ok }]) => !ok && limit.startsWith(value));
      return `<td${missed ? ' class="missed"' : ''}>${show(found?.values[value])}${missed ? ' missed' : ''}${change(run, runs[i - 1], metric, value, moreIsWorse)}</td>`;
    });
    return `<tr><th scope="row">${escape(text)}</th>${cells.join('')}</tr>`;
  });
  return `<div class="scroll"><table><caption>${escape(plan)}</caption>
<thead><tr><th></th>${heads}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>`;
}

function change(
  run: Summary,
  before: Summary | undefined,
  metric: string,
  value: string,
  moreIsWorse: boolean,
): string {
  const [now, then] = [run.metrics[metric]?.values[value], before?.metrics[metric]?.values[value]];
  if (
    now === undefined ||
    then === undefined ||
    then === 0 ||
    before === undefined ||
    before.share !== run.share ||
    before.minute !== run.minute ||
    before.devices !== run.devices
  )
    return '';
  const percent = Math.round((now / then - 1) * 100);
  return percent === 0
    ? ''
    : `<small>${percent > 0 ? '+' : '−'}${Math.abs(percent)} %${Math.abs(percent) >= 20 ? (percent > 0 === moreIsWorse ? ' worse' : ' better') : ''}</small>`;
}
