import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddFirmwarePage } from '../../../../area/resource/firmware/firmware-page.tsx';

export const Route = createFileRoute('/_main/resources/firmwares_/uploadFirmWare')({
  staticData: { title: 'menu.addFirmware', menu: '/resources/firmwares' },
  loader: () => pageTexts(),
  component: AddFirmwarePage,
});
