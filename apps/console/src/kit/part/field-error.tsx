import { IconAlertCircle } from '@tabler/icons-react';

/** Shows a field's error and its remedy, with an icon besides the colour. */
export function FieldError({ text }: { text: string }) {
  return (
    <>
      <IconAlertCircle size={14} stroke={1.75} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
      <span>{text}</span>
    </>
  );
}
