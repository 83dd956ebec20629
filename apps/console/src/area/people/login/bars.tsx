import css from './login-page.module.css';

/** Lengths of the hanging bars from left to right, and the highlighted bells. */
const lengths = [
  369, 387, 339, 282, 333, 264, 247, 219, 198, 164, 143, 159, 111, 111, 111, 112, 87, 74, 75, 92, 92, 101, 107, 104,
  120, 164, 143, 159, 207, 240, 204, 261, 336, 330, 366, 405, 481,
];
const shining = [3, 9, 15, 21, 27, 33];

/** The decorative picture of the login page. */
export function Bars() {
  return (
    <svg className={css.bars} viewBox="0 0 1512 520" preserveAspectRatio="xMidYMin slice" aria-hidden="true">
      {lengths.map((length, i) => (
        <g key={i}>
          <rect x={i * 42 - 6} y={-12} width={12} height={length + 12} rx={6} />
          <circle
            cx={i * 42}
            cy={length + 14}
            r={shining.includes(i) ? 3.8 : 3.2}
            className={shining.includes(i) ? css.bell : undefined}
          />
        </g>
      ))}
    </svg>
  );
}
