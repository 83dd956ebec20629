import { knownSettings } from '../session/settings.ts';

/**
 * Shows the operator's logo, otherwise the product's: three bars of different length hang from a beam, each with a
 * bell.
 */
export function Mark({ size = 24 }: { size?: number }) {
  const logo = knownSettings()?.logo;
  if (logo) return <img src={logo} alt="" height={size} style={{ maxWidth: size * 5 }} />;
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <g fill="var(--mark)">
        <rect x="1" y="2" width="22" height="2.4" rx="1.2" />
        <rect x="3" y="5.6" width="4.4" height="11" rx="1" />
        <rect x="9.8" y="5.6" width="4.4" height="7.4" rx="1" />
        <rect x="16.6" y="5.6" width="4.4" height="4.6" rx="1" />
      </g>
      <g fill="var(--brass)">
        <circle cx="5.2" cy="20" r="1.7" />
        <circle cx="12" cy="16.6" r="1.7" />
        <circle cx="18.8" cy="13.6" r="1.7" />
      </g>
    </svg>
  );
}
