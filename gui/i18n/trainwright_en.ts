<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ScenarioFacts</name>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainwright::gui::MeshView</name>
    <message numerus="yes">
        <source>Rows are nodes, %n more not shown; P stage, D replica.</source>
        <translation>
            <numerusform>Rows are nodes, one more not shown; P stage, D replica.</numerusform>
            <numerusform>Rows are nodes, %n more not shown; P stage, D replica.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainwright::gui::TimelineModel</name>
    <message numerus="yes">
        <source>rank %1 (and %n alike)</source>
        <extracomment>%1 number of a rank, %n how many other ranks behave the same</extracomment>
        <translation>
            <numerusform>rank %1 (and one alike)</numerusform>
            <numerusform>rank %1 (and %n alike)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainwright::gui::VerdictStrip</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
</TS>
