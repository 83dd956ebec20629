import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPage } from '../../area/system/legal/pages.tsx';

export const Route = createFileRoute('/privacy')({ component: PrivacyPage });
