// A hash log in C#, as for Unity: the same toy simulation and the same log as in the other languages here.
//
//     dotnet new console -o HashLog && cp HashLog.cs HashLog/Program.cs && dotnet run --project HashLog > cs.log
//     mcs HashLog.cs && mono HashLog.exe > cs.log       where there is Mono in place of .NET
//     dotnet run --project HashLog 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
using System;
using System.Globalization;
using System.Text;

struct Unit
{
    public double X, V;
}

class Game
{
    public uint Random = 2463534242;
    public Unit[] Units = { new Unit { X = 1 }, new Unit { X = 2 }, new Unit { X = 3 }, new Unit { X = 4 } };

    public void Step()
    {
        Random ^= Random << 13;
        Random ^= Random >> 17;
        Random ^= Random << 5;
        for (int i = 0; i < Units.Length; i++)
        {
            double push = ((Random >> (8 * i)) & 255) / 256.0 - 0.5;
            Units[i].V = Units[i].V * 0.99 + push * 0.125 - Units[i].X * 0.01;
            Units[i].X = Units[i].X + Units[i].V;
        }
    }
}

// ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

static class HashLog
{
    static ulong Add(ulong hash, ulong bits, int bytes)
    {
        for (int i = 0; i < bytes; i++)
        {
            hash = unchecked((hash ^ ((bits >> (8 * i)) & 255)) * 0x100000001b3);
        }
        return hash;
    }

    static ulong BitsOf(double value) => unchecked((ulong)BitConverter.DoubleToInt64Bits(value));

    static ulong HashOf(Game game)
    {
        ulong hash = Add(0xcbf29ce484222325, game.Random, 4);
        foreach (Unit unit in game.Units)
        {
            hash = Add(Add(hash, BitsOf(unit.X), 8), BitsOf(unit.V), 8);
        }
        return hash;
    }

    // The invariant culture: elsewhere a decimal comma would come out. JSON has no NaN and no infinity: as texts they are read.
    static string Number(double value)
    {
        string text = value.ToString("R", CultureInfo.InvariantCulture);
        return double.IsNaN(value) || double.IsInfinity(value) ? "\"" + text + "\"" : text;
    }

    static string Field(string name, double value) => string.Format(
        "\"{0}\":{{\"value\":{1},\"bits\":\"{2:x16}\",\"type\":\"f64\"}}", name, Number(value), BitsOf(value));

    static string Line(Game game, uint number, uint from, uint to)
    {
        var line = new StringBuilder($"{{\"step\":{number},\"hash\":\"{HashOf(game):x16}\"");
        if (to > 0 && from <= number && number <= to)
        {
            line.Append(",\"objects\":[");
            for (int i = 0; i < game.Units.Length; i++)
            {
                line.Append(i > 0 ? "," : "").Append($"{{\"name\":\"unit {i}\",\"fields\":{{");
                line.Append(Field("x", game.Units[i].X)).Append(',').Append(Field("v", game.Units[i].V)).Append("}}");
            }
            line.Append(']');
        }
        return line.Append('}').ToString();
    }

    static void Main(string[] arguments)
    {
        uint from = arguments.Length > 0 ? uint.Parse(arguments[0]) : 0;
        uint to = arguments.Length > 1 ? uint.Parse(arguments[1]) : 0;
        var game = new Game();
        Console.WriteLine(Line(game, 0, from, to));
        for (uint number = 1; number <= 100; number++)
        {
            game.Step();
            Console.WriteLine(Line(game, number, from, to));
        }
    }
}
