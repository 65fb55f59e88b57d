-- Which model the person has in the session, and how hard it is asked to think:
-- what it is gone on with. The model is '' where the configuration names it, as
-- that of an agent. The effort is '' where nobody chose one.
ALTER TABLE session ADD COLUMN chosen TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN effort TEXT NOT NULL DEFAULT '';
UPDATE session SET chosen = model WHERE parent = '';
